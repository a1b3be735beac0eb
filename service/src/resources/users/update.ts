import type { UpdateUserRequest, User } from 'whorl/wire';
import { endDevicesOfUser, notifyEndedOfUser } from '../devices/queries/device-ends.js';
import { mergedMetadata } from '../metadata.js';
import type { Caller, Service, UnitOfWork } from '../service.js';
import { toUser } from './present.js';
import { changeUser, countRevocation, type UserKey } from './queries/users.js';
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
): Promise<User> {
  return withUserOrNew(service, caller, userId, (held) => updateHeldUser(held, request));
}

/** Changes a user that is already locked, like `updateUser`. */
export async function updateHeldUser(
  { work, user }: HeldUser,
  { email, phone, metadata, status }: UpdateUserRequest,
): Promise<User> {
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
  return toUser(work, changed);
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
