/**
 * @typedef {object} Ids The records that pages show, by their IDs in the database.
 * @property {string} user A typical user.
 * @property {string} busyUser A user with many evaluations.
 * @property {string} device
 * @property {string} busyDevice
 * @property {string} challenge
 * @property {string} evaluation An evaluation created by the API.
 */

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {string} path Within the project's live world.
 * @property {Record<string, string>} [fields] The form fields, if it is posted.
 */

/** Returns all measured pages. @param {Ids} ids @returns {Page[]} */
export function pagesOf(ids) {
  return [
    { title: 'overview, 24 hours', path: 'overview?period=24h' },
    { title: 'overview, 7 days', path: 'overview?period=7d' },
    { title: 'overview, 30 days', path: 'overview?period=30d' },
    { title: 'overview, 90 days', path: 'overview?period=90d' },
    { title: 'users', path: 'users' },
    { title: 'users, by prefix', path: 'users/search', fields: { q: 'user-12' } },
    { title: 'users, by an address', path: 'users/search', fields: { q: '10.0.1.7' } },
    { title: 'users, by mail', path: 'users/search', fields: { q: 'nobody@example.com' } },
    { title: 'a user', path: `users/${ids.user}` },
    { title: 'a user with 10,000 evaluations', path: `users/${ids.busyUser}` },
    { title: 'devices', path: 'devices' },
    { title: 'devices, blocked', path: 'devices?status=blocked' },
    { title: 'a device', path: `devices/${ids.device}` },
    { title: 'a device with 10,000 evaluations', path: `devices/${ids.busyDevice}` },
    { title: 'challenges', path: 'challenges' },
    { title: 'challenges, skipped', path: 'challenges?status=skipped' },
    { title: 'a challenge', path: `challenges/${ids.challenge}` },
    { title: 'evaluations', path: 'evaluations' },
    { title: 'evaluations, denied', path: 'evaluations?verdict=deny' },
    { title: 'evaluations, with a rare reason', path: 'evaluations?reason=self_referral' },
    { title: 'evaluations, of an old day', path: 'evaluations?end_date=40' },
    { title: 'an evaluation', path: `evaluations/${ids.evaluation}` },
    { title: 'webhooks', path: 'webhooks' },
    { title: 'settings', path: 'settings' },
    { title: 'keys', path: 'keys' },
  ].map((page) => ({ ...page, path: page.path.replace('end_date=40', `end_date=${dayBefore(40)}`) }));
}

/** @param {number} days */
function dayBefore(days) {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
