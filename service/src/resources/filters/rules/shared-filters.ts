import { reasons } from 'whorl/wire';
import { choiceFilter, type Filter, idFilter, listedFilter } from './filter.js';

/** Filters that several lists have. */
export const sharedFilters = {
  user: {
    ...listedFilter('user', 'user-4711', { title: 'Your user identifier', description: 'Your own ID of the user.' }),
    isPersonal: true,
  },
  user_id: idFilter('a user', { title: 'User', description: "The service's ID of the user." }),
  action: {
    title: 'Action',
    description: 'The action.',
    form: '1 to 64 lower-case letters of the English alphabet, digits and underscores',
    example: 'login',
    read: (text) => (/^[a-z0-9_]{1,64}$/.test(text) ? text : undefined),
  } satisfies Filter<string>,
  reason: choiceFilter(reasons, { title: 'Reason', description: 'One of the reasons.' }),
  ip: {
    ...listedFilter('address', '198.51.100.0/24', {
      title: 'IP address or range',
      description: 'The IP address, or a range that contains it.',
    }),
    isPersonal: true,
  },
} as const;
