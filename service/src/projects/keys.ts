import { validate } from 'uuid';
import { createApiKey, hashSecret, type KeyKind, type KeyMode } from '../crypto/index.js';
import { OperatorError } from '../operator-error.js';
import type { Database, Service, Transaction } from '../service.js';
import { hourMs } from '../time.js';
import { forgetCallers } from './callers.js';
import { findProject } from './find-project.js';
import { expireKey, findKeyRow, insertKey, type KeyRow, listKeyRows, selectValidKeys } from './queries/api-keys.js';
import { lockProjects, worldOf } from './queries/projects.js';
import { type Change, logChanges } from './setting-log.js';

const HINT_LENGTH = 4;
/** Of each kind in each world: one in use, and one for the time of a rotation. */
const MOST_VALID = 2;
const MOST_LISTED = 100;

/** Which kind of key, and of which world. */
export interface KeyChoice {
  /** Name or id. */
  readonly project: string;
  readonly mode: KeyMode;
  readonly kind: KeyKind;
}

export interface ListedKey {
  readonly id: string;
  readonly kind: KeyKind;
  readonly mode: KeyMode;
  /** What is shown of it: how it begins, and its last characters. */
  readonly shown: string;
  readonly createdAt: Date;
  /** When it ends, or did; absent while nobody has ended it. */
  readonly expiresAt?: Date;
  readonly isValid: boolean;
}

/** A project's keys, the good ones first, those that have ended too. `mode`: of one world. Default: of both. */
export async function listKeys(
  { db, now }: Pick<Service, 'db' | 'now'>,
  { project, mode }: { project: string; mode?: KeyMode },
): Promise<ListedKey[]> {
  const { id } = await findProject(db, project);
  return (await listKeyRows(db, id, { mode, limit: MOST_LISTED })).map((row) => toListed(row, now()));
}

/** One of a project's keys; undefined where there is no such key. */
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
 * Makes a key beside the one that there is, and answers it: nobody can read it again.
 *
 * @throws OperatorError if there is no such project, or two such keys are good already.
 */
export function createKey(service: Service, input: KeyChoice & Change): Promise<string> {
  const { changedBy } = input;
  return withKeys(service, input, async (trx, { worldId, projectId, valid }) => {
    if (valid.length >= MOST_VALID) {
      throw new OperatorError(`${MOST_VALID} such keys are good already: revoke or rotate one.`);
    }
    const { key, shown } = await writeKey(service, trx, worldId, input);
    await logChanges(trx, service, { projectId, changedBy, changes: { key_created: { from: null, to: shown } } });
    return key;
  });
}

/**
 * Makes a new key, and lets the one before go on for so many hours (0: it ends now). At most two are good at a time:
 * an older one ends at once.
 *
 * @param input.newest The id of the key that is rotated, where it matters: another one must not have taken its place.
 * @throws OperatorError if there is no such project, or `newest` is no more the newest.
 */
export function rotateKey(
  service: Service,
  input: KeyChoice & Change & { keepOldForHours: number; newest?: string },
): Promise<string> {
  const { changedBy } = input;
  return withKeys(service, input, async (trx, { worldId, projectId, valid, now }) => {
    const [newest, ...older] = valid;
    if (input.newest !== undefined && input.newest !== newest?.id) {
      throw new OperatorError('The keys have been changed meanwhile: another one is the newest.');
    }
    const end = new Date(now.getTime() + input.keepOldForHours * hourMs);
    // One that was to end sooner still does.
    const oldEnd = newest?.expires_at && newest.expires_at < end ? newest.expires_at : end;
    if (newest) await expireKey(trx, newest.id, oldEnd);
    for (const { id } of older) await expireKey(trx, id, now);
    const { key, shown } = await writeKey(service, trx, worldId, input);
    const changes = {
      key_rotated: { from: newest ? describe(input, newest.hint) : null, to: shown },
      ...(newest && { old_key_until: { from: null, to: oldEnd.toISOString() } }),
    };
    await logChanges(trx, service, { projectId, changedBy, changes });
    return key;
  });
}

/**
 * Ends a key now. Other processes may know it for one second more.
 *
 * @throws OperatorError if there is no such key, or it has ended already.
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
    if (!key) throw new OperatorError(`There is no key "${input.key}": "keys list" shows all.`);
    if (!key.isValid) throw new OperatorError(`The key ${key.shown} has ended already.`);
    await expireKey(trx, key.id, now);
    const changes = { key_revoked: { from: key.shown, to: null } };
    await logChanges(trx, service, { projectId, changedBy: input.changedBy, changes });
    return { ...key, expiresAt: now, isValid: false };
  });
  forgetCallers(service);
  return revoked;
}

/** Puts a new key into the database. Only its hash is kept, and its last characters. */
export async function writeKey(
  service: Pick<Service, 'newId' | 'now'>,
  db: Database,
  worldId: string,
  { kind, mode }: Pick<KeyChoice, 'kind' | 'mode'>,
): Promise<{ key: string; shown: string }> {
  const key = createApiKey(kind, mode);
  const hint = key.slice(-HINT_LENGTH);
  await insertKey(db, { id: service.newId(), worldId, kind, hash: hashSecret(key), hint, now: service.now() });
  return { key, shown: describe({ kind, mode }, hint) };
}

interface World {
  readonly projectId: string;
  readonly worldId: string;
  readonly valid: Awaited<ReturnType<typeof selectValidKeys>>;
  readonly now: Date;
}

/** Does something with the keys of one kind, alone. */
async function withKeys<Result>(
  service: Service,
  { project, mode, kind }: KeyChoice,
  act: (trx: Transaction, world: World) => Promise<Result>,
): Promise<Result> {
  const result = await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const now = service.now();
    const { id: projectId } = await findProject(trx, project);
    const worldId = await worldOf(trx, projectId, mode);
    const valid = await selectValidKeys(trx, worldId, kind, now);
    return act(trx, { projectId, worldId, valid, now });
  });
  forgetCallers(service);
  return result;
}

function toListed({ id, kind, mode, hint, created_at, expires_at }: KeyRow, now: Date): ListedKey {
  return {
    ...{ id, kind, mode, shown: describe({ kind, mode }, hint), createdAt: created_at },
    ...(expires_at && { expiresAt: expires_at }),
    isValid: !expires_at || expires_at > now,
  };
}

/** `sk_live_…wxyz` */
function describe({ kind, mode }: Pick<KeyChoice, 'kind' | 'mode'>, hint: string): string {
  return `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_…${hint}`;
}
