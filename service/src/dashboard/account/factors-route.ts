import { OperatorError } from '../../ground/operator-error.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import {
  confirmTotp,
  findFactors,
  hasSecondFactor,
  insertPasskey,
  isSecondFactorRequired,
  readFactors,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  saveInstallationSetting,
  savePendingTotp,
  totpContext,
} from '../../resources/admins/factors.js';
import { secondFactorRequired, tooManyAttempts } from '../../resources/admins/rules.js';
import { createTotpSecret, matchTotp, totpUri } from '../../resources/admins/totp.js';
import { recordAudit } from '../../resources/audit/audit.js';
import type { AuditKind } from '../../resources/audit/rules/audit.js';
import type { Transaction } from '../../resources/service.js';
import { originOf } from '../dashboard-request.js';
import { type AdminPage, type AdminRequest, adminRoute, redirectWithNotice } from '../dashboard-route.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { countCodeAttempt, resetCodeAttempts } from '../sign-in/lock-out.js';
import { readRegistration, registrationOptions } from '../sign-in/passkeys.js';
import { authenticatorPage, factorsPage, recoveryCodesPage } from './factors-view.js';

const permission = 'use_account';
const path = '/dashboard/account/second-factor';
const maxPasskeys = 10;
const maxNameLength = 60;

async function showFactors(request: AdminRequest): Promise<AdminPage> {
  const { service, admin, sessionToken } = request;
  const [own, isRequired, passkeyOptions] = await Promise.all([
    readFactors(service.db, admin.id),
    isSecondFactorRequired(service.db),
    registrationOptions(service, { token: sessionToken, admin }),
  ]);
  return factorsPage(request, { factors: own, isRequired, passkeyOptions });
}

const good = (text: string) => ({ kind: 'good', text }) as const;

/** Defines a form of the page that needs a confirmed password. Errors are shown on the page. */
function action(ending: string, act: (request: AdminRequest) => Promise<AdminPage | Response>): PageRoute {
  return adminRoute({
    method: 'post',
    path: `${path}${ending}`,
    permission,
    handle: (request) =>
      whenConfirmed(request, {
        ask: showFactors,
        act: async (confirmed) => {
          try {
            return await act(confirmed);
          } catch (error) {
            if (!(error instanceof OperatorError)) throw error;
            return redirectWithNotice(request, '/account/second-factor', { kind: 'bad', text: error.message });
          }
        },
      }),
  });
}

/** Changes the factors of the own account, and records it. */
function change<Result>(
  { service, admin, address }: AdminRequest,
  kind: AuditKind,
  act: (trx: Transaction) => Promise<Result>,
  details: Readonly<Record<string, string>> = {},
): Promise<Result> {
  return service.db.transaction().execute(async (trx) => {
    const result = await act(trx);
    await recordAudit(trx, service, { ...originOf({ admin, address }), kind, details });
    return result;
  });
}

/** Creates recovery codes with the first factor. Returns what to show next. */
async function afterAdding(request: AdminRequest, isFirst: boolean, codes: readonly string[]) {
  if (isFirst) return recoveryCodesPage(request, codes);
  return redirectWithNotice(request, '/account/second-factor', good('The second factor was added.'));
}

const confirmOnly = action('/confirm', (request) => redirectWithNotice(request, '/account/second-factor'));

const startAuthenticator = action('/authenticator', async (request) => {
  const { service, admin } = request;
  const secret = createTotpSecret();
  await savePendingTotp(service.db, admin.id, service.vault.seal(secret, totpContext));
  return authenticatorPage(request, { secret, uri: totpUri(secret, admin.email) });
});

const confirmAuthenticator = action('/authenticator/confirm', async (request) => {
  const { service, admin, fields } = request;
  const { totp_pending } = await findFactors(service.db, admin.id);
  if (!totp_pending) throw new OperatorError('Nothing is being set up. Begin again.');
  const secret = service.vault.open(totp_pending, totpContext);
  const again = (error: string, status: 422 | 429) => ({
    ...authenticatorPage(request, { secret, uri: totpUri(secret, admin.email), error }),
    status,
  });
  const seconds = await countCodeAttempt(service, admin.id);
  if (seconds > 0) return again(tooManyAttempts(seconds, 'codes'), 429);
  const step = matchTotp(secret, (fields.get('code') ?? '').replace(/\s/g, ''), service.now());
  if (step === undefined) return again('This code is wrong. Enter the code that the app shows now.', 422);
  const isFirst = !hasSecondFactor(await readFactors(service.db, admin.id));
  const codes = await change(
    request,
    'second_factor_added',
    async (trx) => {
      await confirmTotp(trx, admin.id, step);
      await resetCodeAttempts(trx, service, admin.id);
      return isFirst ? renewRecoveryCodes(trx, admin.id) : [];
    },
    { second_factor: 'totp' },
  );
  return afterAdding(request, isFirst, codes);
});

/** @throws OperatorError if the factor is the last one and the installation requires one. */
async function requireAnother({ admin }: AdminRequest, trx: Transaction): Promise<void> {
  if (hasSecondFactor(await readFactors(trx, admin.id)) || !(await isSecondFactorRequired(trx))) return;
  throw new OperatorError('This installation requires a second factor. Add another one before you remove this one.');
}

const removeAuthenticator = action('/authenticator/remove', async (request) => {
  const { admin } = request;
  await change(
    request,
    'second_factor_removed',
    async (trx) => {
      await removeTotp(trx, admin.id);
      await requireAnother(request, trx);
    },
    { second_factor: 'totp' },
  );
  return redirectWithNotice(request, '/account/second-factor', good('The authenticator app was removed.'));
});

const addPasskey = action('/passkeys', async (request) => {
  const { service, admin, fields, sessionToken } = request;
  const created = await readRegistration(service, { token: sessionToken, admin }, fields.get('passkey'));
  if (!created) throw new OperatorError('The passkey was not added. Confirm your password first, then try again.');
  const before = await readFactors(service.db, admin.id);
  if (before.passkeys.length >= maxPasskeys) throw new OperatorError(`You can have ${maxPasskeys} passkeys at most.`);
  const name = fields.get('name')?.trim().slice(0, maxNameLength) || 'Passkey';
  const isFirst = !hasSecondFactor(before);
  const codes = await change(
    request,
    'second_factor_added',
    async (trx) => {
      await insertPasskey(trx, { ...created, name, adminId: admin.id, now: service.now() });
      return isFirst ? renewRecoveryCodes(trx, admin.id) : [];
    },
    { second_factor: 'passkey' },
  );
  return afterAdding(request, isFirst, codes);
});

const removeOnePasskey = action('/passkeys/{passkey}/remove', async (request) => {
  const { admin, params } = request;
  await change(
    request,
    'second_factor_removed',
    async (trx) => {
      if ((await removePasskey(trx, admin.id, params.passkey ?? '')) === undefined) {
        throw new OperatorError('This passkey does not exist. It may have been removed.');
      }
      await requireAnother(request, trx);
    },
    { second_factor: 'passkey' },
  );
  return redirectWithNotice(request, '/account/second-factor', good('The passkey was removed.'));
});

const renewCodes = action('/recovery-codes', async (request) => {
  const { admin } = request;
  const codes = await change(request, 'recovery_codes_renewed', (trx) => renewRecoveryCodes(trx, admin.id));
  return recoveryCodesPage(request, codes);
});

const requireForAll = adminRoute({
  method: 'post',
  path: '/dashboard/installation/second-factor',
  permission: 'manage_installation',
  handle: (request) =>
    whenConfirmed(request, {
      ask: showFactors,
      act: async (confirmed) => {
        const { service, fields } = confirmed;
        const isRequired = fields.get('required') === 'on';
        await service.db.transaction().execute(async (trx) => {
          const from = await isSecondFactorRequired(trx);
          await saveInstallationSetting(trx, secondFactorRequired, isRequired);
          const changes = { second_factor_required: { from, to: isRequired } };
          await recordAudit(trx, service, { ...originOf(confirmed), kind: 'installation_changed', changes });
        });
        const text = isRequired ? 'Every member needs a second factor now.' : 'A second factor is optional now.';
        return redirectWithNotice(request, '/account/second-factor', good(text));
      },
    }),
});

/** Pages for the second factors of the own account, and whether every account needs one. */
export const factors: readonly PageRoute[] = [
  adminRoute({ method: 'get', path, permission, handle: showFactors }),
  ...[confirmOnly, startAuthenticator, confirmAuthenticator, removeAuthenticator],
  ...[addPasskey, removeOnePasskey, renewCodes, requireForAll],
];
