import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../ground/crypto/index.js';
import type { Database, Service } from '../service.js';
import {
  findFactors,
  findInstallationSetting,
  listPasskeyRows,
  saveRecoveryCodes,
  spendRecoveryCode,
  spendTotpStep,
} from './factors-queries.js';
import { secondFactorRequired } from './rules.js';
import { matchTotp } from './totp.js';

export {
  confirmTotp,
  findFactors,
  insertPasskey,
  removePasskey,
  removeTotp,
  saveInstallationSetting,
  savePendingTotp,
} from './factors-queries.js';

/** Encryption context of the secrets of authenticator apps. */
export const totpContext = 'admin.totp_secret';
const recoveryCodeCount = 10;
/** 16 characters hold 80 bits, so that a plain hash cannot be reversed. */
const recoveryCodeLength = 16;
/** Base32 (RFC 4648), whose characters are not mistaken for each other. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Second factors of an account. */
export interface Factors {
  readonly hasTotp: boolean;
  readonly passkeys: readonly ListedPasskey[];
  /** Number of recovery codes that were not used. */
  readonly recoveryCodes: number;
}

export interface ListedPasskey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | undefined;
}

export async function readFactors(db: Database, adminId: string): Promise<Factors> {
  const row = await findFactors(db, adminId);
  const passkeys = Number(row.passkeys) > 0 ? await listPasskeyRows(db, adminId) : [];
  return {
    hasTotp: row.totp_secret !== null,
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      createdAt: created_at,
      lastUsedAt: last_used_at ?? undefined,
    })),
    recoveryCodes: Number(row.recovery_codes),
  };
}

/** Returns whether an account has a second factor. Recovery codes alone are none. */
export function hasSecondFactor({ hasTotp, passkeys }: Pick<Factors, 'hasTotp' | 'passkeys'>): boolean {
  return hasTotp || passkeys.length > 0;
}

/** Returns whether every account of the installation needs a second factor. */
export async function isSecondFactorRequired(db: Database): Promise<boolean> {
  return (await findInstallationSetting(db, secondFactorRequired)) === true;
}

/** Replaces the recovery codes of an account. Returns the new ones, which cannot be read again. */
export async function renewRecoveryCodes(db: Database, adminId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, createRecoveryCode);
  await saveRecoveryCodes(
    db,
    adminId,
    codes.map((code) => hashSecret(normalised(code))),
  );
  return codes;
}

function createRecoveryCode(): string {
  const characters = Array.from(randomBytes(recoveryCodeLength), (byte) => alphabet[byte % alphabet.length]).join('');
  return characters.replace(/(.{4})(?=.)/g, '$1-');
}

function normalised(code: string): string {
  return code.toUpperCase().replace(/[^A-Z2-7]/g, '');
}

/** Factor to which a code belongs. */
export type SpentCode = 'totp' | 'recovery_code';

/**
 * Uses up a code: the current one of the authenticator app, or a recovery code. Each works once. Returns undefined if it
 * is wrong or was used before.
 */
export async function spendCode(
  db: Database,
  { vault, now }: Pick<Service, 'vault' | 'now'>,
  adminId: string,
  typed: string,
): Promise<SpentCode | undefined> {
  const digits = typed.replace(/\s/g, '');
  if (/^\d{6}$/.test(digits)) {
    const { totp_secret } = await findFactors(db, adminId);
    const step = totp_secret ? matchTotp(vault.open(totp_secret, totpContext), digits, now()) : undefined;
    return step !== undefined && (await spendTotpStep(db, adminId, step)) ? 'totp' : undefined;
  }
  const code = normalised(typed);
  if (code.length !== recoveryCodeLength) return undefined;
  return (await spendRecoveryCode(db, adminId, hashSecret(code))) ? 'recovery_code' : undefined;
}
