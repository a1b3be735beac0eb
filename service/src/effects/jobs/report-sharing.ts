import { lockUser } from '../../ground/db/locks.js';
import { minuteSeconds } from '../../ground/time.js';
import { emit } from '../../resources/events/emit.js';
import { listEventTimes } from '../../resources/events/queries.js';
import { readWorlds, type World } from '../../resources/projects/worlds.js';
import { consumeQuota, type Quota, releaseQuota } from '../../resources/quotas/queries.js';
import { inTransaction, type Service, type Transaction, type UnitOfWork } from '../../resources/service.js';
import { toUserSummary } from '../../resources/users/present.js';
import { findUserById, type UserRow } from '../../resources/users/queries/users.js';
import { isReportDue, signalsSince } from './rules/sharing-report.js';
import { sharingMail } from './sharing-mail.js';

/** Lease during which one worker sends the mail, in seconds. */
const leaseSeconds = 5 * minuteSeconds;

type WorldWork = UnitOfWork<Transaction, World>;

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
  const due = await withUserLocked(service, world, user, (work) => lease(work, user));
  if (!due) return;
  try {
    await service.sender.sendMail({ to, ...sharingMail(world.project.name, user.external_id, due.signals) });
  } catch (error) {
    await withUserLocked(service, world, user, ({ db }) => releaseQuota(db, due.lease, due.leasedAt));
    throw error;
  }
  await withUserLocked(service, world, user, (work) => emitReport(work, user, due));
}

function withUserLocked<Result>(
  service: Service,
  world: World,
  { external_id }: UserRow,
  act: (work: WorldWork) => Promise<Result>,
): Promise<Result> {
  return inTransaction(service, world, async (work) => {
    await lockUser(work.db, world.worldId, external_id);
    return act(work);
  });
}

/** Returns the signals to report, reserved for this worker; undefined if no report is due. */
async function lease({ db, now: clock }: WorldWork, user: UserRow): Promise<DueReport | undefined> {
  const { id, world_id } = user;
  const now = clock();
  const since = signalsSince(now);
  const reports = await listEventTimes(db, user, 'account_sharing.admin_notified', since);
  const signals = await listEventTimes(db, user, 'account_sharing.signal', since);
  if (reports.length > 0 || !isReportDue(signals)) return undefined;
  const quota = { worldId: world_id, name: 'sharing_mail', subject: id, limit: 1, windowSeconds: leaseSeconds };
  const result = await consumeQuota(db, quota, now);
  return result.isAvailable ? { signals, lease: quota, leasedAt: result.windowStart } : undefined;
}

async function emitReport(work: WorldWork, user: UserRow, { signals }: DueReport) {
  // The user may have been erased while the mail was being sent.
  if (!(await findUserById(work.db, user.world_id, user.id))) return;
  await emit(
    work,
    'account_sharing.admin_notified',
    { user: toUserSummary(work, user), signals: signals.map((at) => at.toISOString()) },
    { userId: user.id },
  );
}
