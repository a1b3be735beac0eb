import { ApiError } from '../errors.js';

/** Connections of one process that wait for one user's lock or hold it. */
const connectionsPerUser = 2;
/** Requests that wait for one user without a connection. */
const waitingPerUser = 20;
const maxWaitMs = 3000;

interface Turns {
  /** Transactions that wait for the lock or hold it. */
  running: number;
  /** What waits without a connection, first come first served. */
  readonly waiting: (() => void)[];
}

const turnsOf = new Map<string, Turns>();
const takenBy = new WeakMap<object, string[]>();

/** Every connection that this user may use is in use. Rolls the transaction back, which frees its own connection. */
class UserTurnsTaken extends Error {
  constructor(readonly user: string) {
    super('Too many transactions for one user');
  }
}

/**
 * Counts a transaction that is about to lock a user.
 *
 * @throws {UserTurnsTaken} handled by `withUserTurns`.
 */
export function takeUserTurn(transaction: object, user: string): void {
  const taken = takenBy.get(transaction) ?? [];
  if (taken.includes(user)) return;
  const turns = turnsOf.get(user) ?? { running: 0, waiting: [] };
  if (turns.running >= connectionsPerUser) throw new UserTurnsTaken(user);
  turns.running += 1;
  turnsOf.set(user, turns);
  takenBy.set(transaction, [...taken, user]);
}

/** Ends the turns of a transaction that was committed or rolled back. */
export function endUserTurns(transaction: object): void {
  for (const user of takenBy.get(transaction) ?? []) {
    const turns = turnsOf.get(user);
    if (!turns) continue;
    turns.running -= 1;
    turns.waiting.shift()?.();
    if (turns.running === 0 && turns.waiting.length === 0) turnsOf.delete(user);
  }
  takenBy.delete(transaction);
}

/**
 * Runs a transaction, and repeats it while too many others of this process lock the same user. It waits without a
 * connection, so that many requests for one user leave the others for everybody else.
 *
 * @throws {ApiError} `user_busy` after 3 s, or at once if 20 already wait for the user.
 */
export async function withUserTurns<Result>(run: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UserTurnsTaken)) throw error;
      await nextTurn(error.user, until - performance.now());
    }
  }
}

/** Resolves when a turn of a user ends. */
function nextTurn(user: string, waitMs: number): Promise<void> {
  const turns = turnsOf.get(user);
  if (!turns) return Promise.resolve();
  const busy = new ApiError('user_busy', { retryAfterSeconds: 1 });
  if (turns.waiting.length >= waitingPerUser || waitMs <= 0) return Promise.reject(busy);
  return new Promise((resolve, reject) => {
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      turns.waiting.splice(turns.waiting.indexOf(go), 1);
      reject(busy);
    }, waitMs);
    turns.waiting.push(go);
  });
}
