import { openRequest } from '../../evaluation/normalised-request.js';
import { decodeBasis } from '../../evaluation/rules/stored-basis.js';
import { lastId } from '../../ground/db/position-rules.js';
import { giveWay, sliceMs } from '../../ground/give-way.js';
import { firstIdAt } from '../../ground/ids.js';
import { dayMs, minuteMs } from '../../ground/time.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import { readWorlds } from '../../resources/projects/worlds.js';
import type { JobData } from '../../resources/queue/jobs.js';
import { readerOf, type Service } from '../../resources/service.js';
import { type BatchRow, readBatch } from '../rule-runs/evaluation-queries.js';
import { replays } from './queries.js';
import { replayDays } from './rules/limits.js';
import { addToReport, emptyReport, type Replayed, type ReplayReport } from './rules/report.js';
import { type Trial, trialOf, tryOn } from './rules/trial.js';

/** Bounds of a replay. The time is less than a job's lease, after which another worker would begin it again. */
const maxEvaluations = 1_000_000;
const maxMs = 10 * minuteMs;
const batchSize = 1000;
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
    const saved = (report: ReplayReport) => replays.save(db, key, report);
    if (await replayAll(service, worldId, { trial, settings: world.settings, save: saved })) {
      await replays.end(db, key, { status: 'finished', at: now() });
    }
  } catch (error) {
    await replays.end(db, key, { status: 'failed', at: now() });
    throw error;
  }
}

interface Replaying {
  readonly trial: Trial;
  readonly settings: Settings;
  /** Stores the report. Returns false if the replay was cancelled. */
  readonly save: (report: ReplayReport) => Promise<boolean>;
}

/** Returns false if the replay was cancelled. */
async function replayAll(service: Service, worldId: string, { trial, settings, save }: Replaying): Promise<boolean> {
  const since = firstIdAt(new Date(service.now().getTime() - replayDays * dayMs));
  let report = emptyReport;
  let before = lastId;
  const began = performance.now();
  let savedAt = began;
  for (;;) {
    const batch = { before, since, limit: batchSize, withRequest: trial.readsRequest };
    const rows = await readBatch(readerOf(service).db, worldId, batch);
    report = addToReport(report, await replayRows(service, rows, { trial, settings }));
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return save(report);
    const now = performance.now();
    if (report.replayed + report.skipped >= maxEvaluations || now - began > maxMs) {
      return save({ ...report, isPartial: true });
    }
    before = last.id;
    if (now - savedAt < saveMs) continue;
    if (!(await save(report))) return false;
    savedAt = now;
  }
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
