import {
  choiceFilter,
  countFilter,
  type Filter,
  type FilterValues,
  flagFilter,
  momentFilter,
} from '../../../filters/rules/filter.js';
import { sharedFilters } from '../../../filters/rules/shared-filters.js';
import { parseEmail, parsePhone } from '../../rules/contacts.js';

/** Highest number of devices that a filter can ask for. */
const maxDevices = 100;

/**
 * Every fact by which users are filtered: on the dashboard, in exports, in `GET /v2/users` and, by contacts, in
 * `POST /v2/users/search`. A user must match all filters. Only `user`, `user_id`, `email` and `phone` have an index.
 */
export const userFilters = {
  status: choiceFilter(['active', 'suspended'], { title: 'Status', description: 'The status.' }),
  email: {
    title: 'Email address',
    description: 'The email address, in any spelling that the provider treats as the same.',
    form: 'an email address',
    example: 'ada@example.com',
    isPersonal: true,
    isContact: true,
    read: (text) => parseEmail(text)?.normalised,
  } satisfies Filter<string>,
  phone: {
    title: 'Phone number',
    description: 'The phone number.',
    form: 'a phone number in the international format, such as +491701234567',
    example: '+491701234567',
    isPersonal: true,
    isContact: true,
    read: (text) => parsePhone(text),
  } satisfies Filter<string>,
  user: sharedFilters.user,
  user_id: sharedFilters.user_id,
  contact: choiceFilter(['email', 'phone', 'both', 'none'], {
    title: 'Contacts',
    description: 'The contacts that the user has: only an email address, only a phone number, both or none.',
  }),
  disowned: flagFilter({
    title: 'Did not recognise a device',
    description: 'Whether the user has said of a device or a change: "This was not me".',
  }),
  min_devices: countFilter(maxDevices, {
    title: 'Attached devices from',
    description: 'The lowest number of attached devices.',
  }),
  max_devices: countFilter(maxDevices, {
    title: 'Attached devices up to',
    description: 'The highest number of attached devices.',
  }),
  seen_start_date: momentFilter({
    title: 'Last seen from',
    description: 'Earliest time at which a device of the user was last seen.',
  }),
  seen_end_date: momentFilter({
    title: 'Last seen to',
    description: 'Latest such time, inclusive. No device was seen after it.',
  }),
} as const;

/** Values of the filters that are set, in their normal form. */
export type UserFilter = FilterValues<typeof userFilters>;
