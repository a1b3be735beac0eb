import { type Customer, home, laptop } from './customer.js';

/** Returns calls about users, by default about Ann, with the key that the test has now. */
export function callsAboutUsers(customer: () => Customer) {
  const update = (request: object, user = 'ann') => customer().post(`/v2/user/${user}/update`, request);
  const attach = (user = 'ann', more: object = {}) =>
    customer().ask('/v2/device/attach', { user, fingerprint: laptop, ip: home, ...more });
  const login = (user = 'ann', more: object = {}) =>
    customer().evaluate({ action: 'login', user, fingerprint: laptop, ip: home, ...more });

  return { update, attach, login };
}
