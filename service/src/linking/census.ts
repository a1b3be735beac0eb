import type { Database, Service } from '../service.js';
import { minuteMs } from '../time.js';
import { countDevices, sampleFingerprints } from './queries/candidates.js';
import { type Census, countSample, emptyCensus } from './rules/census.js';

interface Counted {
  readonly census: Census;
  readonly at: number;
}

/**
 * Age at which a census is counted again, in milliseconds. Processes may differ, because any sample gives nearly the
 * same result.
 */
const freshMs = 5 * minuteMs;
/** Number of worlds whose census a process caches; the one counted longest ago is dropped first. */
const maxWorlds = 1000;

const cache = new WeakMap<Service['db'], Map<string, Counted>>();

function cacheOf({ db }: Service): Map<string, Counted> {
  const worlds = cache.get(db) ?? new Map<string, Counted>();
  cache.set(db, worlds);
  return worlds;
}

/** Returns this process's cached census of a world, without a query; empty if there is none. */
export function knownCensus(service: Service, worldId: string): Census {
  return cacheOf(service).get(worldId)?.census ?? emptyCensus;
}

/** Returns the census of a world, counted again if the cached one is too old. */
export async function readCensus(db: Database, service: Service, worldId: string): Promise<Census> {
  const worlds = cacheOf(service);
  const at = service.now().getTime();
  const last = worlds.get(worldId);
  if (last && at - last.at < freshMs) return last.census;
  const census = countSample(await sampleFingerprints(db, worldId), await countDevices(db, worldId));
  worlds.delete(worldId);
  const [oldest] = worlds.keys();
  if (oldest !== undefined && worlds.size >= maxWorlds) worlds.delete(oldest);
  worlds.set(worldId, { census, at });
  return census;
}
