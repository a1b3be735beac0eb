import { z } from '@hono/zod-openapi';
import type { ImportedDevice, ImportedUser, ImportUsersResponse } from 'whorl/wire';
import type { ImportRow } from '../../../effects/import/import-users.js';
import { safeParserOf } from '../../../http/parse.js';
import { example } from '../../../http/schemas/examples.js';
import { email, fingerprintText, ipAddress, metadata, phone, userId } from '../../../http/schemas/fields.js';
import { warnings } from '../../../http/schemas/responses.js';
import { wireSchema } from '../../../http/schemas/wire-schema.js';
import { faultOfFingerprint } from '../../../resources/devices/rules/fingerprint-text.js';

const maxUsers = 1000;
const maxAddresses = 100;
const maxDevices = 20;

const isMatchable = (text: string) => !['placeholder', 'unreadable'].includes(faultOfFingerprint(text) ?? '');

export const importedDevice = wireSchema<ImportedDevice>()(
  'ImportedDevice',
  z.object({
    fingerprint: fingerprintText().refine(isMatchable, 'must be a fingerprint that can be matched, not a placeholder'),
    last_fingerprint: fingerprintText().optional(),
    metadata: metadata().optional(),
    trusted: z.boolean().optional().openapi({ description: 'Whether to trust the device. Default: false.' }),
  }),
  { fingerprint: example.fingerprint, trusted: true },
);

const rowExample: ImportedUser = {
  id: 'ada',
  email: 'ada@example.com',
  metadata: { plan: 'family' },
  trusted_addresses: [example.ip],
  devices: [{ fingerprint: example.fingerprint, trusted: true }],
};

export const importedUser = wireSchema<ImportedUser>()(
  'ImportedUser',
  z.object({
    id: userId(),
    email: email().optional(),
    phone: phone().optional(),
    metadata: metadata().optional(),
    trusted_addresses: z.array(ipAddress()).max(maxAddresses).optional(),
    devices: z.array(importedDevice).max(maxDevices).optional(),
  }),
  rowExample,
);

/** Rows are validated individually, so that an invalid one fails alone. */
export const importUsersRequest = wireSchema<{ users: unknown[] }>()(
  'ImportUsersRequest',
  z.object({
    users: z
      .array(z.unknown())
      .max(maxUsers)
      .openapi({ type: 'array', items: { $ref: '#/components/schemas/ImportedUser' }, maxItems: maxUsers }),
  }),
  { users: [rowExample] },
);

export const importUsersResponse = wireSchema<ImportUsersResponse>()(
  'ImportUsersResponse',
  z.object({
    results: z.array(
      z.object({
        id: z.string(),
        status: z.enum(['created', 'updated', 'unchanged', 'failed']),
        errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      }),
    ),
    warnings: warnings(),
  }),
  {
    results: [
      { id: 'ada', status: 'created' },
      { id: 'bob', status: 'failed', errors: [{ path: 'devices.0.fingerprint', message: 'is required' }] },
    ],
  },
);

const readImportedUser = safeParserOf(importedUser);

const maxIdLength = 256;

/** Reads and validates one row of an import. */
export function readImportRow(row: unknown): ImportRow {
  return { id: idOf(row), parsed: readImportedUser(row) };
}

/** Returns the ID to show in the result, even if the row is invalid. */
function idOf(row: unknown): string {
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  return typeof id === 'string' ? id.slice(0, maxIdLength) : '';
}
