import type { Database, Service } from '../service.js';
import { minuteMs } from '../time.js';
import { countDevices, sampleFingerprints } from './queries/candidates.js';
import { type Census, countSample, emptyCensus } from './rules/census.js';

interface Counted {
  readonly census: Census;
  readonly at: number;
}

/** So old a census is used, and then taken anew. Processes need not agree: another sample says nearly the same. */
const freshMs = 5 * minuteMs;
/** Of so many worlds a process keeps it; the one counted longest ago makes room. */
const mostWorlds = 1000;

const kept = new WeakMap<Service['db'], Map<string, Counted>>();

function keptBy({ db }: Service): Map<string, Counted> {
  const worlds = kept.get(db) ?? new Map<string, Counted>();
  kept.set(db, worlds);
  return worlds;
}

/** The census of a world as this process has it, without asking the database; empty where it has none. */
export function knownCensus(service: Service, worldId: string): Census {
  return keptBy(service).get(worldId)?.census ?? emptyCensus;
}

/** The census of a world, counted anew where the one at hand is old. */
export async function readCensus(db: Database, service: Service, worldId: string): Promise<Census> {
  const worlds = keptBy(service);
  const at = service.now().getTime();
  const last = worlds.get(worldId);
  if (last && at - last.at < freshMs) return last.census;
  const census = countSample(await sampleFingerprints(db, worldId), await countDevices(db, worldId));
  worlds.delete(worldId);
  const [oldest] = worlds.keys();
  if (oldest !== undefined && worlds.size >= mostWorlds) worlds.delete(oldest);
  worlds.set(worldId, { census, at });
  return census;
}
