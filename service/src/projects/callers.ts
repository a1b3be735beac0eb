import { hashSecret } from '../crypto/index.js';
import type { Caller, Service } from '../service.js';
import { type CallerRow, findCallerRow } from './queries/projects.js';
import { settingsSchema } from './rules/settings.js';

/** How long a process may go on with what it knows of a key: after that, another process's change has reached it. */
const CACHE_MS = 1000;
/** What no key looks like needs no look at the database. */
const keyForm = /^[sp]k_(live|test)_[0-9A-Za-z]{1,64}$/;

interface Known {
  readonly caller: Promise<{ caller: Caller; expiresAt: Date | null } | undefined>;
  /** On the clock of `performance.now()`. */
  readonly goodUntil: number;
}

/** By key. Only keys that exist stay in it, so their number bounds its size. */
const caches = new WeakMap<Service['db'], Map<string, Known>>();

/**
 * Whose key this is; undefined for one that is unknown or has expired. What it finds is kept for one second, so a key
 * that another process rotated out, or a setting that it changed, counts for so long here. Expiry is always exact.
 */
export async function findCaller(service: Service, apiKey: string): Promise<Caller | undefined> {
  if (!keyForm.test(apiKey)) return undefined;
  const known = await lookUp(service, apiKey);
  if (!known || (known.expiresAt && known.expiresAt <= service.now())) return undefined;
  return known.caller;
}

/** Makes this process ask the database anew, after it changed a key or a setting. */
export function forgetCallers({ db }: Service): void {
  caches.delete(db);
}

function lookUp({ db }: Service, apiKey: string): Known['caller'] {
  const cache = caches.get(db) ?? new Map<string, Known>();
  caches.set(db, cache);
  const known = cache.get(apiKey);
  if (known && known.goodUntil > performance.now()) return known.caller;
  // Those who ask meanwhile wait for the same answer.
  const caller = findCallerRow(db, hashSecret(apiKey)).then((row) => row && toCaller(row));
  const entry = { caller, goodUntil: performance.now() + CACHE_MS };
  cache.set(apiKey, entry);
  const forget = () => {
    if (cache.get(apiKey) === entry) cache.delete(apiKey);
  };
  caller.then((found) => found ?? forget(), forget);
  return caller;
}

function toCaller(row: CallerRow): { caller: Caller; expiresAt: Date | null } {
  const caller = {
    keyId: row.key_id,
    kind: row.kind,
    worldId: row.world_id,
    mode: row.mode,
    project: { id: row.project_id, name: row.name, createdAt: row.created_at },
    settings: settingsSchema.parse(row.settings),
  };
  return { caller, expiresAt: row.expires_at };
}
