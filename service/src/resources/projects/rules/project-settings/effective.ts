import { settingsSchema } from '../settings.js';
import type { SettingName } from './fields.js';

/**
 * Returns the effective value of a stored setting; undefined if the stored value is invalid and is about to be
 * replaced.
 */
export function effective(stored: Readonly<Record<string, unknown>>, name: SettingName): unknown {
  return settingsSchema.shape[name].safeParse(stored[name]).data;
}
