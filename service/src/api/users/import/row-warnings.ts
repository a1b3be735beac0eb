import { unknownFields } from '../../../http/warnings.js';
import { warnAboutFingerprint } from '../../request-warnings.js';
import { importedDevice, importedUser } from './schemas.js';

/** Warns about unknown fields and unusable fingerprints in a row of an import. Paths are relative to the row. */
export function warnAboutRow(row: unknown, warn: (path: string, message: string) => void): void {
  for (const { path, message } of unknownFields(importedUser, row)) warn(path, message);
  for (const [index, device] of listIn(row, 'devices').entries()) {
    const prefix = `devices.${index}.`;
    for (const { path, message } of unknownFields(importedDevice, device, prefix)) warn(path, message);
    for (const field of ['fingerprint', 'last_fingerprint']) {
      const text = valueIn(device, field);
      if (typeof text === 'string') warnAboutFingerprint(warn, prefix + field, text);
    }
  }
}

function listIn(value: unknown, field: string): unknown[] {
  const list = valueIn(value, field);
  return Array.isArray(list) ? list : [];
}

function valueIn(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(field) : undefined;
}
