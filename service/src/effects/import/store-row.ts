import { isDeepStrictEqual } from 'node:util';
import type { ImportedUser, UpdateUserRequest } from 'whorl/wire';
import type { InputError } from '../../ground/errors.js';
import { dayMs } from '../../ground/time.js';
import { readAddress } from '../../resources/addresses/addresses.js';
import { mergeMetadata } from '../../resources/metadata.js';
import type { Caller, Service, UnitOfWork } from '../../resources/service.js';
import type { UserRow } from '../../resources/users/queries/users.js';
import {
  type ContactKind,
  type Contacts,
  readContacts,
  unreadableContact,
} from '../../resources/users/rules/contacts.js';
import { updateHeldUser } from '../../resources/users/update.js';
import { type HeldUser, withUserOrNew } from '../../resources/users/with-user.js';
import { trustAddress } from './queries.js';
import { storeDevice } from './store-device.js';

export interface StoredRow {
  readonly isNew: boolean;
  readonly isChanged: boolean;
  /** What was skipped, and why. */
  readonly errors: readonly InputError[];
  readonly unreadable: readonly ContactKind[];
}

/**
 * Stores one user of an import completely or not at all.
 *
 * @throws {ApiError} `invalid_request` if metadata would be too large.
 */
export async function storeRow(service: Service, caller: Caller, row: ImportedUser): Promise<StoredRow> {
  const { contacts, unreadable } = readContacts(row, caller.settings.default_country);
  return withUserOrNew(service, caller, row.id, async ({ isNew, ...held }) => {
    const errors = unreadable.map((kind): InputError => ({ path: kind, message: unreadableContact[kind] }));
    let isChanged = await storeFields(held, contacts, row);
    for (const ip of row.trusted_addresses ?? []) {
      if (await storeAddress(held, ip)) isChanged = true;
    }
    for (const [index, device] of (row.devices ?? []).entries()) {
      const stored = await storeDevice(held, device);
      if (stored.isChanged) isChanged = true;
      if (stored.leftOut) errors.push({ path: `devices.${index}`, message: stored.leftOut });
    }
    return { isNew, isChanged, errors, unreadable };
  });
}

/** Returns whether anything changed. */
async function storeFields(held: HeldUser, contacts: Contacts, { metadata }: ImportedUser): Promise<boolean> {
  const { work, user } = held;
  const current = contactsOf(work, user);
  const changes: UpdateUserRequest = {
    ...(contacts.email !== undefined && contacts.email !== current.email && { email: contacts.email }),
    ...(contacts.phone !== undefined && contacts.phone !== current.phone && { phone: contacts.phone }),
    ...(metadata && !isDeepStrictEqual(mergeMetadata(user.metadata, metadata), user.metadata) && { metadata }),
  };
  if (Object.keys(changes).length === 0) return false;
  await updateHeldUser(held, changes);
  return true;
}

function contactsOf({ vault }: Pick<UnitOfWork, 'vault'>, { email, phone }: UserRow): Contacts {
  return {
    ...(email && { email: vault.open(email, 'user.email') }),
    ...(phone && { phone: vault.open(phone, 'user.phone') }),
  };
}

async function storeAddress({ work, user }: HeldUser, ip: string): Promise<boolean> {
  const { worldId, settings } = work.caller;
  const network = readAddress(ip)?.network;
  const now = work.now();
  const trustedUntil = new Date(now.getTime() + settings.address_trust_days * dayMs);
  if (network === undefined || trustedUntil <= now) return false;
  return trustAddress(work.db, { userId: user.id, worldId, network, now, trustedUntil });
}
