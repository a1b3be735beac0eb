/**
 * @typedef {object} Ids The records that pages show, by their IDs in the database.
 * @property {string} user A typical user.
 * @property {string} busyUser A user with many evaluations.
 * @property {string} device
 * @property {string} busyDevice
 * @property {string} challenge
 * @property {string} evaluation An evaluation created by the API.
 * @property {string} address The IP address of the typical user.
 * @property {string} hardware The hardware of the typical device.
 * @property {string} fingerprint The `fingerprint_id` of the typical device.
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
    { title: 'evaluations, of an address', path: `evaluations?ip=${ids.address}` },
    { title: 'evaluations, of a country', path: 'evaluations?country=DE' },
    { title: 'evaluations, of a rare country', path: 'evaluations?country=IS' },
    { title: 'evaluations, of a rare network', path: 'evaluations?asn=64496' },
    { title: 'evaluations, of a rule in shadow', path: 'evaluations?rule=In+shadow' },
    { title: 'evaluations, of a rule that never matched', path: 'evaluations?rule=Never' },
    { title: 'evaluations, of a browser', path: `evaluations?fingerprint_id=${ids.fingerprint}` },
    { title: 'evaluations, of hardware', path: `evaluations?hardware_id=${ids.hardware}` },
    { title: 'page of an address', path: `subjects/address?value=${ids.address}` },
    { title: 'page of a network', path: 'subjects/asn?value=64500' },
    { title: 'page of a country with 3 of 5 evaluations', path: 'subjects/country?value=DE' },
    { title: 'page of a rare country', path: 'subjects/country?value=IS' },
    { title: 'page of hardware', path: `subjects/hardware?value=${ids.hardware}` },
    { title: 'page of an email domain of all users', path: 'subjects/email_domain?value=example.com' },
    { title: 'review', path: 'review' },
    { title: 'precision and recall', path: 'review/labels' },
    { title: 'lists', path: 'lists' },
    { title: 'rules', path: 'rules' },
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
