import type { DeviceInfo, NoticeKind } from 'whorl/wire';
import { dayMs } from '../../ground/time.js';
import { enqueue } from '../queue/index.js';
import type { UnitOfWork } from '../service.js';
import { findUserById } from '../users/queries/users.js';
import { countNotices, insertNotice } from './queries.js';
import { formerEmailOf, noticeLimits, sendsNotice } from './rules.js';

/** What a message to a user is about. */
export interface NoticeAbout {
  readonly kind: NoticeKind;
  readonly userId: string;
  readonly deviceId?: string | undefined;
  readonly info: DeviceInfo;
  readonly ip?: string | undefined;
  /** The address that was replaced, sealed. */
  readonly replacedEmail?: Uint8Array | undefined;
}

/**
 * Sends a user a message soon, if the project sends such messages, mail can be sent, and the user had fewer than 3 of
 * this kind within a day. It goes to the user's address, to the one that was replaced, and to one that was replaced
 * within the last 72 hours. The user must be locked.
 */
export async function recordNotice(work: UnitOfWork, about: NoticeAbout): Promise<void> {
  const { db, caller } = work;
  const { kind, userId, deviceId, info, ip, replacedEmail } = about;
  if (!sendsNotice(caller.settings, kind) || !work.sender.channels.has('email')) return;
  const user = await findUserById(db, caller.worldId, userId);
  if (!user) return;
  const at = work.now();
  const former = formerEmailOf(user, at);
  if (!user.email && !former && !replacedEmail) return;
  const since = new Date(at.getTime() - dayMs);
  if ((await countNotices(db, user, { kind, since })) >= noticeLimits.perUserAndDay) return;
  const noticeId = work.newId();
  await insertNotice(db, {
    id: noticeId,
    world_id: caller.worldId,
    user_id: userId,
    kind,
    device_id: deviceId ?? null,
    info: JSON.stringify(info),
    ip: ip ?? null,
    replaced_email: replacedEmail ?? null,
    created_at: at,
  });
  // One job for each address, so that repeating one that failed sends nothing twice.
  const receivers = [
    ...(user.email ? (['current'] as const) : []),
    ...(former ? (['former'] as const) : []),
    ...(replacedEmail ? (['replaced'] as const) : []),
  ];
  for (const to of receivers) await enqueue(db, 'send_notice', { worldId: caller.worldId, noticeId, to });
}
