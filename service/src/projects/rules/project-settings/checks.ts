import validator from 'validator';
import { isAddressOrRange } from '../../../addresses/address-list.js';
import { isPhoneCountry } from '../../../users/rules/contacts.js';
import type { Settings } from '../settings.js';

/** What is wrong with a value that somebody wants to set. */
export interface SettingIssue {
  /** The setting, and what in it: names, and positions in lists. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Check = (entry: string) => string | undefined;

const longestUserId = 256;

const lists: readonly [name: ListName, check: Check][] = [
  ['allowed_origins', ofOrigin],
  ['blocked_addresses', ofAddress],
  ['allowed_addresses', ofAddress],
  ['allowed_users', ofUser],
];

type ListName = 'allowed_origins' | 'blocked_addresses' | 'allowed_addresses' | 'allowed_users';

/**
 * What is wrong with settings beyond their form. It is asked when they are set, and not when they are read: an entry
 * that is no address matches nothing, and must not keep a project from working.
 */
export function checkSettings(settings: Settings, names: readonly string[]): SettingIssue[] {
  const issues = checkLists(settings);
  if (settings.admin_email !== null && !validator.isEmail(settings.admin_email)) {
    issues.push({ path: ['admin_email'], message: 'must be an e-mail address' });
  }
  if (settings.default_country !== null && !isPhoneCountry(settings.default_country)) {
    issues.push({ path: ['default_country'], message: 'must be a country code such as DE (ISO 3166-1 alpha-2)' });
  }
  return issues.filter(({ path: [setting] }) => names.some((name) => name === setting));
}

function checkLists(settings: Settings): SettingIssue[] {
  return lists.flatMap(([name, check]) =>
    settings[name].flatMap((entry, index) => {
      const message = check(entry);
      return message === undefined ? [] : [{ path: [name, index], message }];
    }),
  );
}

function ofOrigin(entry: string): string | undefined {
  return isOrigin(entry) ? undefined : 'must be an origin such as https://shop.example, without a path';
}

function ofAddress(entry: string): string | undefined {
  return isAddressOrRange(entry) ? undefined : 'must be an address or a range such as 198.51.100.0/24';
}

function ofUser(entry: string): string | undefined {
  const isOne = entry.trim() !== '' && entry.length <= longestUserId && !/\p{Cc}/u.test(entry);
  return isOne ? undefined : `must be an identifier of 1 to ${longestUserId} characters, in one line`;
}

/** As browsers send it in `Origin`; apps have schemes of their own (`capacitor://localhost`). */
function isOrigin(entry: string): boolean {
  if (!URL.canParse(entry)) return false;
  const { protocol, origin } = new URL(entry);
  return protocol === 'https:' || protocol === 'http:'
    ? origin === entry
    : /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]+$/.test(entry);
}
