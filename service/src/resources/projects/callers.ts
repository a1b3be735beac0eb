import { hashSecret } from '../../ground/crypto/index.js';
import type { KeyScope } from '../../ground/vocabulary.js';
import { type Caller, perService, type Service } from '../service.js';
import { type CallerRow, findCallerRow } from './queries/projects.js';
import { settingsSchema } from './rules/settings.js';

/** Time for which a process caches a key, in milliseconds: afterwards, changes by other processes are visible. */
const cacheMs = 1000;
/** Malformed keys are rejected without a query. */
const keyPattern = /^[sp]k_(live|test)_[0-9A-Za-z]{1,64}$/;

/** Caller of the API. */
export interface KeyCaller extends Caller {
  /** What a secret key may call; empty for a publishable one. */
  readonly scopes: readonly KeyScope[];
}

interface Known {
  readonly caller: Promise<{ caller: KeyCaller; expiresAt: Date | null } | undefined>;
  /** Expiry of the cache entry, on the clock of `performance.now()`. */
  readonly validUntil: number;
}

/** By key. Only existing keys stay cached, which bounds the size. */
const cacheOf = perService(() => new Map<string, Known>());

/**
 * Returns the caller that a key belongs to; undefined if the key is unknown or has expired. The result is cached for
 * one second, so a key revoked or a setting changed by another process takes effect here within a second. Expiry is
 * always exact.
 */
export async function findCaller(service: Service, apiKey: string): Promise<KeyCaller | undefined> {
  if (!keyPattern.test(apiKey)) return undefined;
  const known = await lookUp(service, apiKey);
  if (!known || (known.expiresAt && known.expiresAt <= service.now())) return undefined;
  return known.caller;
}

/** Clears this process's cache after a key or a setting was changed. */
export function forgetCallers(service: Service): void {
  cacheOf(service).clear();
}

function lookUp(service: Service, apiKey: string): Known['caller'] {
  const cache = cacheOf(service);
  const known = cache.get(apiKey);
  if (known && known.validUntil > performance.now()) return known.caller;
  // Concurrent requests share one query.
  const caller = findCallerRow(service.db, hashSecret(apiKey)).then((row) => row && toCaller(row));
  const entry = { caller, validUntil: performance.now() + cacheMs };
  cache.set(apiKey, entry);
  const evict = () => {
    if (cache.get(apiKey) === entry) cache.delete(apiKey);
  };
  caller.then((found) => found ?? evict(), evict);
  return caller;
}

function toCaller(row: CallerRow): { caller: KeyCaller; expiresAt: Date | null } {
  const caller = {
    keyId: row.key_id,
    kind: row.kind,
    scopes: row.kind === 'secret' ? row.scopes : [],
    worldId: row.world_id,
    mode: row.mode,
    project: { id: row.project_id, name: row.name, createdAt: row.created_at },
    settings: settingsSchema.parse(row.settings),
  };
  return { caller, expiresAt: row.expires_at };
}
