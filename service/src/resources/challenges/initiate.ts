import { emit } from '../events/emit.js';
import type { UnitOfWork } from '../service.js';
import { loadChallengeView } from './present.js';
import {
  type ChallengeRow,
  changeChallenge,
  findChallenge,
  findOpenChallenge,
  insertChallenge,
  type NewChallenge,
  storeMethods,
} from './queries.js';

interface Initiation {
  /** ID for a new challenge. If a challenge with this ID exists, that one is used. */
  readonly reservedId: string | undefined;
  /** Number of the user's last revocation. */
  readonly revokedAt: number;
  /** The factors of the application for the user, if its server has named them. */
  readonly methods: readonly string[] | undefined;
}

/**
 * Creates a challenge and emits `challenge.initiated`, or returns the ID of the open one for the same user, device, key,
 * action and address. An open challenge from before the last revocation of the device or the user is closed and not
 * reused.
 */
export async function initiateChallenge(
  work: UnitOfWork,
  wanted: Omit<NewChallenge, 'id'>,
  { reservedId, revokedAt, methods }: Initiation,
): Promise<string> {
  const { db } = work;
  const taken = reservedId && (await findChallenge(db, wanted.worldId, reservedId));
  if (taken) return rememberMethods(work, taken.id, { said: methods, otherwise: wanted.methods });
  const challenge = { id: reservedId ?? work.newId(), ...wanted };
  const create = async () => {
    const created = await insertChallenge(db, challenge);
    if (created) await emitChallengeInitiated(work, created);
    return created?.id;
  };
  const created = await create();
  if (created !== undefined) return created;
  // A conflicting challenge that has expired, or is from before a revocation, is now closed.
  const open = await findOpenChallenge(db, challenge, revokedAt);
  if (open !== undefined) return rememberMethods(work, open, { said: methods, otherwise: wanted.methods });
  const id = await create();
  if (id === undefined) throw new Error('A challenge could neither be created nor found.');
  return id;
}

/**
 * Stores the factors of the application for the user of an existing challenge: what its server says now, otherwise what
 * it said before.
 */
async function rememberMethods(
  { db, caller }: UnitOfWork,
  id: string,
  { said, otherwise }: { readonly said: readonly string[] | undefined; readonly otherwise: readonly string[] | null },
): Promise<string> {
  const known = said ?? otherwise;
  if (known) await storeMethods(db, caller.worldId, id, { methods: known, replaces: said !== undefined });
  return id;
}

/** Records that a completed challenge was used, so that it is not accepted again. */
export async function redeemChallenge({ db, caller, now }: UnitOfWork, id: string): Promise<void> {
  await changeChallenge(db, caller.worldId, id, { redeemed_at: now() });
}

/** Emits `challenge.initiated` for a new challenge. */
async function emitChallengeInitiated(work: UnitOfWork, row: ChallengeRow): Promise<void> {
  const challenge = await loadChallengeView(work, row);
  await emit(work, 'challenge.initiated', { challenge }, { userId: challenge.user._id });
}
