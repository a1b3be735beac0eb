import { userFilters } from '../../resources/users/search/rules/filters.js';
import { filterField } from './filter-field.js';
import { momentFields } from './query.js';

/** Fields that find users by a contact. The API takes them in a body, because proxies log URLs. */
export const userContactFields = {
  email: filterField(userFilters.email),
  phone: filterField(userFilters.phone),
};

/** Query parameters that filter users. */
export const userQueryFields = {
  status: filterField(userFilters.status),
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

const { status, ...others } = userQueryFields;

/** Fields of all filters, in the order of the dashboard's form. */
export const userFilterFields = { status, ...userContactFields, ...others };
