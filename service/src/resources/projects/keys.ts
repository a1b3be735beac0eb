import { validate } from 'uuid';
import { createApiKey, hashSecret, type KeyKind, type KeyMode } from '../../ground/crypto/index.js';
import { OperatorError } from '../../ground/operator-error.js';
import { hourMs } from '../../ground/time.js';
import type { KeyScope } from '../../ground/vocabulary.js';
import type { Database, Service, Transaction } from '../service.js';
import { forgetCallers } from './callers.js';
import { findProject } from './find-project.js';
import { expireKey, findKeyRow, insertKey, type KeyRow, listKeyRows, selectValidKeys } from './queries/api-keys.js';
import { lockProjects, worldOf } from './queries/projects.js';
import { haveSameScopes, readScopes } from './rules/key-scopes.js';
import { type Change, logChanges } from './setting-log.js';

const HINT_LENGTH = 4;
/**
 * Maximum number of valid keys of each kind, with the same scopes, in each world: one in use, and one more during a
 * rotation.
 */
const MAX_VALID = 2;
const MAX_LISTED = 100;

/** Project, mode, kind and scopes of a key. */
export interface KeyChoice {
  /** Name or ID. */
  readonly project: string;
  readonly mode: KeyMode;
  readonly kind: KeyKind;
  /** Default: `evaluate` for a secret key, none for a publishable one. */
  readonly scopes?: readonly KeyScope[] | undefined;
}

export interface ListedKey {
  readonly id: string;
  readonly kind: KeyKind;
  readonly mode: KeyMode;
  /** What a secret key may call; empty for a publishable one. */
  readonly scopes: readonly KeyScope[];
  /** Abbreviated key: its prefix and last characters. */
  readonly shown: string;
  /** The whole key, if it is publishable. Absent for one of an older version. */
  readonly publishableKey?: string;
  readonly createdAt: Date;
  /** Expiry, in the past or future; absent if none is set. */
  readonly expiresAt?: Date;
  readonly isValid: boolean;
}

/**
 * Returns a project's keys, including expired ones; valid ones come first. `mode`: only keys of this world. Default:
 * both.
 */
export async function listKeys(
  { db, now }: Pick<Service, 'db' | 'now'>,
  { project, mode }: { project: string; mode?: KeyMode },
): Promise<ListedKey[]> {
  const { id } = await findProject(db, project);
  return (await listKeyRows(db, id, { mode, limit: MAX_LISTED })).map((row) => toListed(row, now()));
}

/** Returns one of a project's keys; undefined if it does not exist. */
export async function findKey(
  { db, now }: Pick<Service, 'db' | 'now'>,
  { project, key }: { project: string; key: string },
): Promise<ListedKey | undefined> {
  return findKeyOf({ db, now }, (await findProject(db, project)).id, key);
}

async function findKeyOf(
  { db, now }: { readonly db: Database; readonly now: Service['now'] },
  projectId: string,
  key: string,
): Promise<ListedKey | undefined> {
  const row = validate(key) ? await findKeyRow(db, projectId, key) : undefined;
  return row && toListed(row, now());
}

/**
 * Creates an additional key and returns it. It cannot be read again.
 *
 * @throws OperatorError if the project does not exist, the scopes are not valid, or there are already 2 active keys of
 *   this kind with these scopes.
 */
export function createKey(service: Service, input: KeyChoice & Change): Promise<string> {
  const { changedBy, network } = input;
  return withKeys(service, input, async (trx, { worldId, projectId, scopes, valid }) => {
    if (valid.length >= MAX_VALID) {
      const alike = scopes.length > 0 ? ' with these scopes' : '';
      throw new OperatorError(`There are already ${MAX_VALID} active keys of this kind${alike}. Revoke or rotate one.`);
    }
    const { key, shown } = await writeKey(service, trx, worldId, { ...input, scopes });
    const changes = { key_created: { from: null, to: withScopes(shown, scopes) } };
    await logChanges(trx, service, { projectId, changedBy, network, changes });
    return key;
  });
}

/**
 * Creates a new key with the same scopes. The previous one stays valid for `keepOldForHours` (0: it expires now). At
 * most two are valid at a time: an older one expires at once.
 *
 * @param input.newest ID of the key to rotate. If it is given, the rotation fails when that key is no longer the
 *   newest.
 * @throws OperatorError if the project does not exist, or `newest` is no longer the newest key.
 */
export function rotateKey(
  service: Service,
  input: KeyChoice & Change & { keepOldForHours: number; newest?: string },
): Promise<string> {
  const { changedBy, network } = input;
  return withKeys(service, input, async (trx, { worldId, projectId, scopes, valid, now }) => {
    const [newest, ...older] = valid;
    if (input.newest !== undefined && input.newest !== newest?.id) {
      throw new OperatorError('The keys were changed in the meantime: another key is now the newest.');
    }
    const end = new Date(now.getTime() + input.keepOldForHours * hourMs);
    // An earlier expiry is kept.
    const oldExpiresAt = newest?.expires_at && newest.expires_at < end ? newest.expires_at : end;
    if (newest) await expireKey(trx, newest.id, oldExpiresAt);
    for (const { id } of older) await expireKey(trx, id, now);
    const { key, shown } = await writeKey(service, trx, worldId, { ...input, scopes });
    const changes = {
      key_rotated: { from: newest ? describe(input, newest.hint) : null, to: withScopes(shown, scopes) },
      ...(newest && { old_key_until: { from: null, to: oldExpiresAt.toISOString() } }),
    };
    await logChanges(trx, service, { projectId, changedBy, network, changes });
    return key;
  });
}

/**
 * Revokes a key. Other processes may accept it for one more second.
 *
 * @throws OperatorError if the key does not exist or has already expired.
 */
export async function revokeKey(
  service: Service,
  input: { project: string; key: string } & Change,
): Promise<ListedKey> {
  const revoked = await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const now = service.now();
    const { id: projectId } = await findProject(trx, input.project);
    const key = await findKeyOf({ db: trx, now: () => now }, projectId, input.key);
    if (!key) throw new OperatorError(`There is no key "${input.key}". "keys list" shows all keys.`);
    if (!key.isValid) throw new OperatorError(`The key ${key.shown} has already expired.`);
    await expireKey(trx, key.id, now);
    const changes = { key_revoked: { from: key.shown, to: null } };
    await logChanges(trx, service, { projectId, changedBy: input.changedBy, network: input.network, changes });
    return { ...key, expiresAt: now, isValid: false };
  });
  forgetCallers(service);
  return revoked;
}

/** Creates a key and stores its hash and last characters. */
export async function writeKey(
  service: Pick<Service, 'newId' | 'now'>,
  db: Database,
  worldId: string,
  { kind, mode, scopes }: Pick<KeyChoice, 'kind' | 'mode'> & { readonly scopes: readonly KeyScope[] },
): Promise<{ key: string; shown: string }> {
  const key = createApiKey(kind, mode);
  const hint = key.slice(-HINT_LENGTH);
  const publishableKey = kind === 'publishable' ? key : null;
  const stored = { id: service.newId(), worldId, kind, scopes, hash: hashSecret(key), hint, publishableKey };
  await insertKey(db, { ...stored, now: service.now() });
  return { key, shown: describe({ kind, mode }, hint) };
}

interface World {
  readonly projectId: string;
  readonly worldId: string;
  readonly scopes: readonly KeyScope[];
  readonly valid: Awaited<ReturnType<typeof selectValidKeys>>;
  readonly now: Date;
}

/**
 * Runs an operation on the valid keys of one kind, with the same scopes, while changes to projects are locked.
 *
 * @throws OperatorError if the scopes are not valid.
 */
async function withKeys<Result>(
  service: Service,
  choice: KeyChoice,
  act: (trx: Transaction, world: World) => Promise<Result>,
): Promise<Result> {
  const { project, mode, kind } = choice;
  const read = readScopes(choice);
  if ('problem' in read) throw new OperatorError(read.problem);
  const { scopes } = read;
  const result = await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const now = service.now();
    const { id: projectId } = await findProject(trx, project);
    const worldId = await worldOf(trx, projectId, mode);
    const ofKind = await selectValidKeys(trx, worldId, kind, now);
    const valid = ofKind.filter((key) => kind === 'publishable' || haveSameScopes(key.scopes, scopes));
    return act(trx, { projectId, worldId, scopes, valid, now });
  });
  forgetCallers(service);
  return result;
}

function toListed(row: KeyRow, now: Date): ListedKey {
  const { id, kind, mode, scopes, hint, publishable_key, created_at, expires_at } = row;
  return {
    id,
    kind,
    mode,
    scopes: kind === 'secret' ? scopes : [],
    shown: describe({ kind, mode }, hint),
    ...(publishable_key !== null && { publishableKey: publishable_key }),
    createdAt: created_at,
    ...(expires_at && { expiresAt: expires_at }),
    isValid: !expires_at || expires_at > now,
  };
}

/** `sk_live_…wxyz` */
function describe({ kind, mode }: Pick<KeyChoice, 'kind' | 'mode'>, hint: string): string {
  return `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_…${hint}`;
}

/** `sk_live_…wxyz (evaluate)` */
function withScopes(shown: string, scopes: readonly KeyScope[]): string {
  return scopes.length > 0 ? `${shown} (${scopes.join(', ')})` : shown;
}
