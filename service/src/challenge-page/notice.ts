import type { Context } from 'hono';
import { describeDevice } from '../challenges/attempt.js';
import { readNoticeLink } from '../ground/crypto/index.js';
import { lockUser } from '../ground/db/locks.js';
import type { HttpEnv } from '../http/environment.js';
import { basePathOf, redirect } from '../http/pages/page-response.js';
import { disown } from '../resources/devices/disown.js';
import { findDevice } from '../resources/devices/queries/devices.js';
import { findNotice, type NoticeRow, useNotice } from '../resources/notices/queries.js';
import { isLinkValid } from '../resources/notices/rules.js';
import { type Caller, inTransaction, type Service } from '../resources/service.js';
import { findUserById } from '../resources/users/queries/users.js';
import { respondInvalidLink, respondWithStep } from './respond.js';
import type { Step } from './rules.js';
import { findPageCaller } from './visit.js';

/** Actor in the audit log: whoever has the link. */
const receiver = 'the receiver of a message';

interface Found {
  readonly caller: Caller;
  readonly notice: NoticeRow;
}

/** Shows what a message was about, or what its link did. Changes nothing, because programs open the links in mails too. */
export async function showNotice(service: Service, c: Context<HttpEnv>, token: string): Promise<Response> {
  const found = await find(service, token);
  if (!found) return respondInvalidLink(service, c);
  const { caller, notice } = found;
  c.set('projectId', caller.project.id);
  const forms = { action: pathOf(service, token), token: '' };
  return respondWithStep(service, c, { caller, step: stepOf(service, notice), forms });
}

/** Disowns what a message was about, once, and shows the result. */
export async function disownNotice(service: Service, c: Context<HttpEnv>, token: string): Promise<Response> {
  const found = await find(service, token);
  if (!found) return respondInvalidLink(service, c);
  c.set('projectId', found.caller.project.id);
  await useLink(service, found);
  return redirect(pathOf(service, token));
}

async function useLink(service: Service, { caller, notice: { id, user_id } }: Found): Promise<void> {
  const { worldId } = caller;
  await inTransaction(service, caller, async (work) => {
    const known = await findUserById(work.db, worldId, user_id);
    if (!known) return;
    await lockUser(work.db, worldId, known.external_id);
    const user = await findUserById(work.db, worldId, user_id);
    const notice = await findNotice(work.db, worldId, id, { lock: true });
    if (!user || !notice || notice.used_at) return;
    await useNotice(work.db, notice, work.now());
    const { device_id, kind } = notice;
    const device = device_id === null ? undefined : await findDevice(work.db, worldId, device_id, { lock: true });
    await disown(work, { user, device, origin: { by: receiver }, notice: kind });
  });
}

function pathOf(service: Service, token: string): string {
  return `${basePathOf(service)}/n/account/${token}`;
}

async function find(service: Service, token: string): Promise<Found | undefined> {
  const link = readNoticeLink(service.vault, token);
  const caller = link && (await findPageCaller(service, link.worldId));
  const notice = caller && (await findNotice(service.db, link.worldId, link.noticeId));
  return notice && isLinkValid(notice, service.now()) ? { caller, notice } : undefined;
}

function stepOf(service: Service, { kind, device_id, info, ip, created_at: at, used_at }: NoticeRow): Step {
  const hasDevice = device_id !== null;
  if (used_at) return { name: 'noticed', hasDevice };
  const attempt = describeDevice(service, { device: info, ip: ip ?? undefined, at });
  return { name: 'notice', kind, hasDevice, attempt };
}
