import type { User, UserSummary } from 'whorl/wire';
import type { Service } from '../service.js';
import type { UserRow } from './queries/users.js';
import { maskEmail, maskPhone } from './rules/mask.js';

export function toUserSummary(service: Service, row: UserRow): UserSummary {
  return { _id: row.id, external_id: row.external_id, ...maskedContacts(service, row) };
}

export function toUser(service: Service, row: UserRow): User {
  return {
    ...toUserSummary(service, row),
    metadata: row.metadata,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function maskedContacts({ vault }: Service, { email, phone }: UserRow): { email?: string; phone?: string } {
  return {
    ...(email && { email: maskEmail(vault.open(email, 'user.email')) }),
    ...(phone && { phone: maskPhone(vault.open(phone, 'user.phone')) }),
  };
}
