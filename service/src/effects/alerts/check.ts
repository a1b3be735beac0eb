import { emit } from '../../resources/events/emit.js';
import type { World } from '../../resources/projects/worlds.js';
import { inTransaction, type Service, type Transaction, type UnitOfWork } from '../../resources/service.js';
import { readAlertConditions } from '../attention/read-alert-conditions.js';
import { type AlertCondition, subjectOf } from '../attention/rules/alert-condition.js';
import { enqueueMessages, type Receivers } from './enqueue.js';
import { forEachLiveWorld } from './live-worlds.js';
import { deleteAlerts, recordAlerts, takeUnannounced } from './queries.js';
import { linkOf } from './rules/links.js';
import { isQuiet } from './rules/quiet-hours.js';
import { alertWordsIn } from './rules/words/languages.js';
import { findSlackUrl } from './slack-queries.js';

/**
 * Finds what needs attention in the live world of each project that has receivers, and tells them what began since the
 * last time.
 */
export function checkAlerts(service: Service): Promise<void> {
  return forEachLiveWorld(service, 'Checking for alerts failed', (world) => checkWorld(service, world));
}

async function checkWorld(service: Service, world: World): Promise<void> {
  const { worldId, settings } = world;
  const receivers = {
    emails: service.sender.channels.has('email') ? settings.alert_emails : [],
    slack: (await findSlackUrl(service.db, worldId)) !== undefined,
  };
  // A receiver that is added later is told of everything that needs attention then.
  if (receivers.emails.length === 0 && !receivers.slack && !settings.alert_events) {
    await deleteAlerts(service.db, worldId, { all: true });
    return;
  }
  const found = await readAlertConditions(service, world);
  const conditions = found.filter(({ kind }) => settings.alert_kinds[kind]);
  await inTransaction(service, world, (work) => tell(work, receivers, conditions));
}

/** Records what holds, and queues what receivers are told, in one transaction: nothing is lost, and nothing repeated. */
async function tell(
  work: UnitOfWork<Transaction, World>,
  receivers: Receivers,
  conditions: readonly AlertCondition[],
): Promise<void> {
  const { db, caller } = work;
  const { worldId, settings } = caller;
  const now = work.now();
  const alerts = conditions.map((content) => ({ kind: content.kind, subject: subjectOf(content), content }));
  const begun = await recordAlerts(db, worldId, { alerts, now });
  if (settings.alert_events) for (const condition of begun) await emitAlert(work, condition);
  if (!isQuiet(settings.alert_quiet_hours, now)) {
    const unannounced = await takeUnannounced(db, worldId, now);
    if (unannounced.length > 0) {
      await enqueueMessages(work, receivers, { about: 'alerts', conditions: unannounced });
    }
  }
  await deleteAlerts(db, worldId);
}

async function emitAlert(work: UnitOfWork<Transaction, World>, condition: AlertCondition): Promise<void> {
  const { caller, publicUrl } = work;
  const subject = subjectOf(condition);
  const data = {
    kind: condition.kind,
    ...(subject !== '' && { subject }),
    text: alertWordsIn(caller.settings.alert_language).describe(condition),
    url: linkOf(condition.kind, { publicUrl, projectId: caller.project.id }),
  };
  await emit(work, 'attention.raised', data, { userId: null });
}
