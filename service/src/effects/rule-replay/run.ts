import { openRequest } from '../../evaluation/normalised-request.js';
import { decodeBasis } from '../../evaluation/rules/stored-basis.js';
import { giveWay, sliceMs } from '../../ground/give-way.js';
import { firstIdAt } from '../../ground/ids.js';
import { dayMs, minuteMs } from '../../ground/time.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import { readWorlds } from '../../resources/projects/worlds.js';
import type { JobData } from '../../resources/queue/jobs.js';
import { readerOf, type Service } from '../../resources/service.js';
import { readBatches } from '../rule-runs/batches.js';
import type { BatchRow } from '../rule-runs/evaluation-queries.js';
import { replays } from './queries.js';
import { replayDays } from './rules/limits.js';
import { addToReport, emptyReport, type Replayed, type ReplayReport } from './rules/report.js';
import { type Trial, trialOf, tryOn } from './rules/trial.js';

/** Bounds of a replay. The time is less than a job's lease, after which another worker would begin it again. */
const jobBounds: ReplayBounds = { evaluations: 1_000_000, ms: 10 * minuteMs };
/** Interval at which progress is stored, and at which a replay notices that it was cancelled. */
const saveMs = 1000;

/**
 * Replays rules on a world's evaluations of the last 30 days, the newest first. Begins again if it was interrupted.
 * Leaves time for requests, and stops within a second after it was cancelled.
 */
export async function runReplay(service: Service, { worldId, replayId }: JobData['replay_rules']): Promise<void> {
  const { db, now } = service;
  const key = { worldId, id: replayId };
  const [world] = await readWorlds(db, worldId);
  const replay = world && (await replays.begin(db, key));
  if (!replay) return;
  const trial = trialOf(replay.rules, replay.position, replay.compared);
  try {
    const save = (report: ReplayReport) => replays.save(db, key, report);
    const replaying = { reader: readerOf(service), trial, settings: world.settings, bounds: jobBounds, save };
    if (await replayBackwards(service, worldId, replaying)) {
      await replays.end(db, key, { status: 'finished', at: now() });
    }
  } catch (error) {
    await replays.end(db, key, { status: 'failed', at: now() });
    throw error;
  }
}

/** How many evaluations a replay reads, and for how long. It then covers the newest ones. */
export interface ReplayBounds {
  readonly evaluations: number;
  readonly ms: number;
}

interface Replaying {
  /** The service for reads. */
  readonly reader: Service;
  readonly trial: Trial;
  readonly settings: Settings;
  readonly bounds: ReplayBounds;
  /** Stores the report, at the end and every second before. Returns false if the replay was cancelled. */
  readonly save: (report: ReplayReport) => Promise<boolean>;
}

/** Replays the evaluations of the last 30 days, the newest first. Returns false if the replay was cancelled. */
export async function replayBackwards(
  service: Service,
  worldId: string,
  { reader, trial, settings, bounds, save }: Replaying,
): Promise<boolean> {
  const since = firstIdAt(new Date(service.now().getTime() - replayDays * dayMs));
  const batches = readBatches(reader.db, { worldId, since, withRequest: trial.readsRequest });
  let report = emptyReport;
  const began = performance.now();
  let savedAt = began;
  for await (const rows of batches) {
    const rest = bounds.evaluations - report.replayed - report.skipped;
    const isLate = performance.now() - began > bounds.ms;
    const within = isLate ? [] : rows.slice(0, rest);
    report = addToReport(report, await replayRows(service, within, { trial, settings }));
    if (within.length < rows.length) return save({ ...report, isPartial: true });
    if (performance.now() - savedAt < saveMs) continue;
    if (!(await save(report))) return false;
    savedAt = performance.now();
  }
  return save(report);
}

async function replayRows(
  service: Service,
  rows: readonly BatchRow[],
  { trial, settings }: Pick<Replaying, 'trial' | 'settings'>,
): Promise<Parameters<typeof addToReport>[1]> {
  const replayed: Replayed[] = [];
  let began = performance.now();
  for (const row of rows) {
    const result = replayRow(service, row, { trial, settings });
    if (result) replayed.push(result);
    if (performance.now() - began < sliceMs) continue;
    await giveWay();
    began = performance.now();
  }
  return { replayed, skipped: rows.length - replayed.length, since: rows.at(-1)?.created_at };
}

function replayRow(
  service: Service,
  row: BatchRow,
  { trial, settings }: Pick<Replaying, 'trial' | 'settings'>,
): Replayed | undefined {
  if (row.rule_basis === null) return undefined;
  const request = row.request ? openRequest(service, { request: row.request }) : undefined;
  const tried = tryOn(trial, decodeBasis(row.rule_basis, row, request), settings);
  return tried && { ...tried, id: row.id, label: row.feedback_label };
}
