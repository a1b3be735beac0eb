import { setNewest } from '../ground/bounded-map-rules.js';
import { dayMs, minuteMs } from '../ground/time.js';
import { countDevices } from '../recognition/linking/queries/candidates.js';
import { type Caller, perService, type Service } from '../resources/service.js';
import { listScores, sampleAccesses } from './queries/risk.js';
import { countFrequencies, type Frequencies, noFrequencies } from './rules/risk/frequencies.js';
import { loginThreshold, scoresOf } from './rules/risk/threshold.js';

/** What the score of a login takes from the project as a whole. */
export interface ProjectRisk {
  readonly frequencies: Frequencies;
  readonly devices: number;
  /** A login with this score or a higher one is of high risk. */
  readonly loginThreshold: number;
}

interface Counted {
  readonly frequencies: Frequencies;
  readonly devices: number;
  /** Scores of the newest logins, the lowest first; undefined if no threshold depends on them. */
  readonly scores: readonly number[] | undefined;
  readonly at: number;
}

/** Age at which a project is counted again. Processes may differ, because any sample gives nearly the same result. */
const maxAgeMs = 5 * minuteMs;
/** Number of worlds that a process keeps; the one counted longest ago is dropped first. */
const maxWorlds = 1000;
/** Logins of this time determine a threshold that is a share of logins. */
const scoreDays = 30;

const cacheOf = perService(() => ({ worlds: new Map<string, Counted>(), running: new Set<string>() }));

/** Returns what this process last counted, without a query. Nothing is known before the first count. */
export function cachedProjectRisk(service: Pick<Service, 'memory'>, { worldId, settings }: Caller): ProjectRisk {
  const last = cacheOf(service).worlds.get(worldId);
  return {
    frequencies: last?.frequencies ?? noFrequencies,
    devices: last?.devices ?? 0,
    loginThreshold: loginThreshold(settings.risk, last?.scores ?? []),
  };
}

/**
 * Counts a project again if the last count is too old. Does not wait: the evaluation that finds it too old uses the old
 * count. If counting fails, the next evaluation tries again.
 */
export function refreshProjectRisk(service: Service, caller: Caller): void {
  const { worlds, running } = cacheOf(service);
  const { worldId } = caller;
  if (running.has(worldId) || isCurrent(service, caller, worlds.get(worldId))) return;
  running.add(worldId);
  countProject(service, caller)
    .then((counted) => setNewest(worlds, worldId, counted, maxWorlds))
    .catch((error: unknown) => service.log.debug({ err: error }, 'Counting a project for its risk scores failed'))
    .finally(() => running.delete(worldId));
}

function isCurrent({ now }: Service, { settings }: Caller, last: Counted | undefined): boolean {
  if (!last || now().getTime() - last.at >= maxAgeMs) return false;
  return last.scores !== undefined || settings.risk.challenge_at_most === null;
}

async function countProject({ db, now }: Service, { worldId, settings }: Caller): Promise<Counted> {
  const at = now().getTime();
  const frequencies = countFrequencies(await sampleAccesses(db, worldId));
  const needsScores = settings.risk.challenge_at_most !== null;
  const since = new Date(at - scoreDays * dayMs);
  const scores = needsScores ? scoresOf(await listScores(db, worldId, since)) : undefined;
  return { frequencies, devices: await countDevices(db, worldId), scores, at };
}
