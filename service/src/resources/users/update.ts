import { isDeepStrictEqual } from 'node:util';
import type { UpdateUserRequest, User } from 'whorl/wire';
import { type Origin, recordInWorld } from '../audit/audit.js';
import { endDevicesOfUser, notifyEndedOfUser } from '../devices/queries/device-ends.js';
import { deviceInfo } from '../devices/rules/device.js';
import { mergedMetadata } from '../metadata.js';
import { recordNotice } from '../notices/record.js';
import { formerEmailMs, formerEmailOf } from '../notices/rules.js';
import type { LoggedChanges } from '../projects/rules/project-settings/log.js';
import type { Caller, Service, UnitOfWork } from '../service.js';
import { toUser } from './present.js';
import { changeUser, countRevocation, type UserKey, type UserRow } from './queries/users.js';
import { parseEmail, parsePhone } from './rules/contacts.js';
import { type HeldUser, withUserOrNew } from './with-user.js';

/**
 * Updates the given fields of a user (`POST /v2/user/:id/update`); null clears a field. Metadata is merged key by key,
 * like a device's. A user that does not exist is created. A contact that cannot be parsed is not changed. Pages of a
 * suspended user are signed out.
 *
 * @throws {ApiError} `invalid_request` if the metadata would be too large.
 */
export async function updateUser(
  service: Service,
  caller: Caller,
  userId: string,
  request: UpdateUserRequest,
  origin: Origin,
): Promise<User> {
  return withUserOrNew(service, caller, userId, async (held) => {
    const { work, user, isNew } = held;
    const changed = await changeHeldUser(held, request);
    const fields = changedFields(user, changed);
    if (isNew || fields.length > 0) {
      const changes = user.status === changed.status ? undefined : statusChange(user.status, changed.status);
      const kind = changes ? (changed.status === 'suspended' ? 'suspend' : 'activate') : 'user_updated';
      const details = { ...(isNew && { created: 'yes' }), ...(fields.length > 0 && { fields: fields.join(', ') }) };
      await recordInWorld(work, { ...origin, kind, userId: user.id, subject: user.id, changes, details });
    }
    return toUser(work, changed);
  });
}

/** Returns the change of a user's status for the audit log. */
export function statusChange(from: User['status'], to: User['status']): LoggedChanges {
  return { status: { from, to } };
}

/** Returns the names of the fields that differ. Their values are personal data, which the audit log does not store. */
function changedFields(from: UserRow, to: UserRow): string[] {
  return (['email', 'phone', 'metadata', 'status'] as const).filter((name) => {
    if (name === 'status' || name === 'metadata') return !isDeepStrictEqual(from[name], to[name]);
    const [before, after] = [from[`${name}_mark`], to[`${name}_mark`]];
    return !isDeepStrictEqual(before && Buffer.from(before), after && Buffer.from(after));
  });
}

/** Changes a user that is already locked, like `updateUser`. */
export async function updateHeldUser(held: HeldUser, request: UpdateUserRequest): Promise<User> {
  return toUser(held.work, await changeHeldUser(held, request));
}

async function changeHeldUser(
  { work, user }: HeldUser,
  { email, phone, metadata, status }: UpdateUserRequest,
): Promise<UserRow> {
  const isSuspended = user.status === 'active' && status === 'suspended';
  const changed = await changeUser(work.db, user.world_id, user.id, {
    ...sealedEmail(work, email),
    ...sealedPhone(work, phone),
    ...(metadata !== undefined && { metadata: metadata === null ? '{}' : mergedMetadata(user.metadata, metadata) }),
    ...(status !== undefined && { status }),
    ...(isSuspended && { suspension: await countRevocation(work.db, user.world_id, user.id) }),
    updated_at: work.now(),
  });
  if (isSuspended) await endSessions(work, user);
  await noticeChange(work, user, changed);
  return changed;
}

/** Tells the user of a contact that was replaced or removed. A first one is not told. */
async function noticeChange(work: UnitOfWork, user: UserRow, changed: UserRow): Promise<void> {
  const fields = changedFields(user, changed);
  const replacesEmail = user.email !== null && fields.includes('email');
  const replacesPhone = user.phone !== null && fields.includes('phone');
  if (!replacesEmail && !replacesPhone) return;
  const at = work.now();
  await recordNotice(work, {
    kind: 'contact_changed',
    userId: user.id,
    info: deviceInfo(undefined),
    replacedEmail: replacesEmail ? (user.email ?? undefined) : undefined,
  });
  const isKept = !replacesEmail || formerEmailOf(user, at) || !work.caller.settings.mail_contact_changed;
  if (isKept) return;
  await changeUser(work.db, user.world_id, user.id, {
    former_email: user.email,
    former_email_until: new Date(at.getTime() + formerEmailMs),
    updated_at: at,
  });
}

/** Signs out the pages of the user's devices. The devices keep their status for when the suspension is lifted. */
async function endSessions({ db, now }: UnitOfWork, { id, world_id }: UserKey): Promise<void> {
  await endDevicesOfUser(db, world_id, id, now());
  await notifyEndedOfUser(db, world_id, id);
}

function sealedEmail({ vault }: Service, text: string | null | undefined) {
  if (text === undefined) return {};
  if (text === null) return { email: null, email_mark: null };
  const email = parseEmail(text);
  if (!email) return {};
  return {
    email: vault.seal(email.display, 'user.email'),
    email_mark: vault.blindIndex(email.normalised, 'user.email'),
  };
}

function sealedPhone({ vault }: Service, text: string | null | undefined) {
  if (text === undefined) return {};
  if (text === null) return { phone: null, phone_mark: null };
  const phone = parsePhone(text);
  if (phone === undefined) return {};
  return { phone: vault.seal(phone, 'user.phone'), phone_mark: vault.blindIndex(phone, 'user.phone') };
}
