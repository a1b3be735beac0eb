import { reasons } from 'whorl/wire';
import { inSnapshot } from '../../ground/db/replica/snapshot.js';
import type { World } from '../../resources/projects/worlds.js';
import { inTransaction, type Service, type Transaction } from '../../resources/service.js';
import { countActivity } from '../activity/queries.js';
import { overviewOf } from '../activity/rules.js';
import { readAlertConditions } from '../attention/read-alert-conditions.js';
import { enqueueMessages } from './enqueue.js';
import { forEachLiveWorld } from './live-worlds.js';
import { isQuiet } from './rules/quiet-hours.js';
import { dueWeek, periodOfWeek, summaryOf, type Week, weekBefore } from './rules/week.js';
import { claimWeek, hasSummary } from './summary-queries.js';

/** Sends the summary of the last week, once, to the email receivers of each project's alerts, on Mondays. */
export async function sendSummaries(service: Service): Promise<void> {
  const week = dueWeek(service.now());
  if (!week || !service.sender.channels.has('email')) return;
  await forEachLiveWorld(service, 'The weekly summary failed', (world) => summarise(service, world, week));
}

async function summarise(service: Service, world: World, week: Week): Promise<void> {
  const { worldId, settings } = world;
  const { alert_emails: emails, alert_kinds, alert_quiet_hours } = settings;
  const isWanted = settings.alert_weekly_summary && emails.length > 0;
  if (!isWanted || isQuiet(alert_quiet_hours, service.now())) return;
  if (await hasSummary(service.db, worldId, week.from)) return;
  const found = await readAlertConditions(service, world);
  const conditions = found.filter(({ kind }) => kind === 'waiting_reviews' || alert_kinds[kind]);
  const weeks = await inSnapshot(service.db, async (trx) => ({
    now: await readWeek(trx, worldId, week, service.now()),
    before: await readWeek(trx, worldId, weekBefore(week), service.now()),
  }));
  const summary = summaryOf(week, weeks, conditions);
  await inTransaction(service, world, async (work) => {
    const isFirst = await claimWeek(work.db, worldId, week.from);
    if (isFirst && summary) await enqueueMessages(work, { emails, slack: false }, summary);
  });
}

async function readWeek(trx: Transaction, worldId: string, week: Week, now: Date) {
  const period = periodOfWeek(week);
  const span = { ...week, columnSeconds: period.columnSeconds, now };
  return overviewOf(period, await countActivity(trx, worldId, span), reasons);
}
