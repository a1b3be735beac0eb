import { choiceFilter, type Filter, type FilterValues, idFilter } from '../../../filters/rules/filter.js';
import { sharedFilters } from '../../../filters/rules/shared-filters.js';

/**
 * Every fact by which challenges are filtered on the dashboard and in exports. A challenge must match all filters. Only
 * `user` and `user_id` have an index.
 */
export const challengeFilters = {
  status: choiceFilter(['pending', 'completed', 'skipped', 'expired'], { title: 'Status', description: 'The status.' }),
  action: sharedFilters.action,
  reason: sharedFilters.reason,
  method: {
    title: 'Verified by',
    description: 'The channel of the code, or the name of your own method.',
    form: 'a channel such as email, or the name of a method, of at most 64 characters',
    example: 'email',
    read: (text) => (text.length <= 64 && !/\p{Cc}/u.test(text) ? text : undefined),
  } satisfies Filter<string>,
  user: sharedFilters.user,
  user_id: sharedFilters.user_id,
  device_id: idFilter('a device', { title: 'Device', description: 'The device.' }),
  fingerprint_id: idFilter('a browser', { title: 'Browser ID', description: 'The browser.' }),
  ip: sharedFilters.ip,
} as const;

/** Values of the filters that are set, in their normal form. */
export type ChallengeFilter = FilterValues<typeof challengeFilters>;
