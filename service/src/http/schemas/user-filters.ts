import { userFilters } from '../../resources/users/search/rules/filters.js';
import { filterField } from './filter-field.js';
import { momentFields } from './query.js';

/** Query parameters that filter users. */
export const userFilterFields = {
  status: filterField(userFilters.status),
  email: filterField(userFilters.email),
  phone: filterField(userFilters.phone),
  user: filterField(userFilters.user),
  user_id: filterField(userFilters.user_id),
  contact: filterField(userFilters.contact),
  disowned: filterField(userFilters.disowned),
  min_devices: filterField(userFilters.min_devices),
  max_devices: filterField(userFilters.max_devices),
  seen_start_date: filterField(userFilters.seen_start_date),
  seen_end_date: filterField(userFilters.seen_end_date),
  ...momentFields,
};
