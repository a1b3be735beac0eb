import { addressKinds } from '../../../addresses/rules/address-info.js';
import {
  choiceFilter,
  type Filter,
  type FilterValues,
  type FilterWords,
  flagFilter,
  hardwareFilter,
  idFilter,
  listedFilter,
  momentFilter,
} from '../../../filters/rules/filter.js';
import { sharedFilters } from '../../../filters/rules/shared-filters.js';

/** Returns a filter whose value is the name of a product, in upper or lower case. */
const nameFilter = (example: string, words: FilterWords): Filter<string> => ({
  ...words,
  form: 'a name of at most 64 characters',
  example,
  read: (text) => (/^[\p{L}\p{N} ._-]{1,64}$/u.test(text) ? text.toLowerCase() : undefined),
});

/**
 * Every fact by which devices are filtered on the dashboard and in exports. A device must match all filters. Only `user`,
 * `user_id` and `fingerprint_id` have an index; all others examine the most recently seen devices.
 */
export const deviceFilters = {
  status: choiceFilter(['attached', 'pending', 'detached', 'blocked'], { title: 'Status', description: 'The status.' }),
  user: sharedFilters.user,
  user_id: sharedFilters.user_id,
  fingerprint_id: idFilter('a browser', {
    title: 'Browser ID',
    description: 'The browser, or one that was merged into it.',
  }),
  hardware_id: hardwareFilter('Hardware with which the browser was seen, if the project uses `hardware_id`.'),
  trusted: flagFilter({ title: 'Trusted', description: 'Whether it is trusted, permanently or not.' }),
  proven: flagFilter({ title: 'Has a key', description: 'Whether it has a key that is not revoked.' }),
  disowned: flagFilter({ title: 'Not recognised by the user', description: 'Whether the user said: "Not mine".' }),
  kind: choiceFilter(['mobile', 'tablet', 'desktop', 'unknown'], { title: 'Kind', description: 'The kind of device.' }),
  os: nameFilter('Windows', { title: 'Operating system', description: 'The operating system.' }),
  browser: nameFilter('Firefox', { title: 'Browser', description: 'The browser.' }),
  ip: sharedFilters.ip,
  country: listedFilter('country', 'DE', { title: 'Country', description: 'The country of the last IP address.' }),
  asn: listedFilter('asn', '64496', {
    title: 'Network (ASN)',
    description: 'The autonomous system of the last IP address.',
  }),
  address_kind: choiceFilter(addressKinds, {
    title: 'Kind of address',
    description: 'The kind of the last IP address.',
  }),
  seen_start_date: momentFilter({ title: 'Last seen from', description: 'Earliest time at which it was last seen.' }),
  seen_end_date: momentFilter({ title: 'Last seen to', description: 'Latest such time, inclusive.' }),
} as const;

/** Values of the filters that are set, in their normal form. */
export type DeviceFilter = FilterValues<typeof deviceFilters>;
