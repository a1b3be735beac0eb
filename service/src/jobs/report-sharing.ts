import { toUserSummary } from '../challenges/views.js';
import { lockUser } from '../db/locks.js';
import { consumeQuota, giveBackQuota, type Quota } from '../evaluation/queries/counters.js';
import type { Service, Transaction } from '../service.js';
import { findUserById, type UserRow } from '../users/queries/users.js';
import { emit } from '../webhooks/emit.js';
import { listEventTimes } from '../webhooks/queries/events.js';
import { isReportDue, signalsSince } from './rules/sharing-report.js';
import { sharingMail } from './sharing-mail.js';
import { readWorlds, type World } from './worlds.js';

/** Lease during which one worker sends the mail, in seconds. */
const leaseSeconds = 300;

interface DueReport {
  readonly signals: Date[];
  readonly lease: Quota;
  readonly leasedAt: Date;
}

/**
 * Emails the project's administrator about an account with signals of sharing on 3 days out of 7, at most once in 7
 * days, and emits `account_sharing.admin_notified` once the mail is sent. Rejects if the mail cannot be sent, so that
 * the queue retries. After a crash the mail may be sent twice, but it is never lost.
 */
export async function reportSharing(
  service: Service,
  { worldId, userId }: { readonly worldId: string; readonly userId: string },
): Promise<void> {
  const user = await findUserById(service.db, worldId, userId);
  const [world] = await readWorlds(service.db, worldId);
  const to = world?.settings.admin_email;
  if (!user || !world || !to) return;
  const due = await withUserLocked(service, user, (trx) => lease(trx, service, user));
  if (!due) return;
  try {
    await service.sender.sendMail({ to, ...sharingMail(world.project.name, user.external_id, due.signals) });
  } catch (error) {
    await withUserLocked(service, user, (trx) => giveBackQuota(trx, due.lease, due.leasedAt));
    throw error;
  }
  await withUserLocked(service, user, (trx) => emitReport(trx, service, world, user, due));
}

function withUserLocked<Result>(
  { db }: Service,
  { world_id, external_id }: UserRow,
  act: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await lockUser(trx, world_id, external_id);
    return act(trx);
  });
}

/** Returns the signals to report, reserved for this worker; undefined if no report is due. */
async function lease(trx: Transaction, service: Service, user: UserRow): Promise<DueReport | undefined> {
  const { id, world_id } = user;
  const now = service.now();
  const since = signalsSince(now);
  const reports = await listEventTimes(trx, user, 'account_sharing.admin_notified', since);
  const signals = await listEventTimes(trx, user, 'account_sharing.signal', since);
  if (reports.length > 0 || !isReportDue(signals)) return undefined;
  const quota = { worldId: world_id, name: 'sharing_mail', subject: id, limit: 1, windowSeconds: leaseSeconds };
  const answer = await consumeQuota(trx, quota, now);
  return answer.isLeft ? { signals, lease: quota, leasedAt: answer.windowStart } : undefined;
}

async function emitReport(trx: Transaction, service: Service, world: World, user: UserRow, { signals }: DueReport) {
  // The user may have been erased while the mail was being sent.
  if (!(await findUserById(trx, user.world_id, user.id))) return;
  await emit(
    trx,
    service,
    world,
    'account_sharing.admin_notified',
    { user: toUserSummary(service, user), signals: signals.map((at) => at.toISOString()) },
    { userId: user.id },
  );
}
