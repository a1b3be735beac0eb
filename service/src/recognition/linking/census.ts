import { setNewest } from '../../ground/bounded-map-rules.js';
import { minuteMs } from '../../ground/time.js';
import { type Database, perService, type Service, type UnitOfWork } from '../../resources/service.js';
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
const maxAgeMs = 5 * minuteMs;
/** Number of worlds whose census a process caches; the one counted longest ago is dropped first. */
const maxWorlds = 1000;

const cacheOf = perService(() => new Map<string, Counted>());

/** Returns this process's cached census of a world, without a query; empty if there is none. */
export function cachedCensus(service: Pick<Service, 'memory'>, worldId: string): Census {
  return cacheOf(service).get(worldId)?.census ?? emptyCensus;
}

/** Returns the census of a world, counted again if the cached one is too old. */
export async function readCensus(work: UnitOfWork<Database>, worldId: string): Promise<Census> {
  const { db } = work;
  const worlds = cacheOf(work);
  const at = work.now().getTime();
  const last = worlds.get(worldId);
  if (last && at - last.at < maxAgeMs) return last.census;
  const census = countSample(await sampleFingerprints(db, worldId), await countDevices(db, worldId));
  setNewest(worlds, worldId, { census, at }, maxWorlds);
  return census;
}
