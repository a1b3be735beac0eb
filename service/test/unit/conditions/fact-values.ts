import type { FactValues } from '../../../src/resources/projects/rules/conditions/facts.js';

const values: FactValues = {
  action: 'login',
  outcome: 'succeeded',
  metadata: {},
  reasons: [],
  'user.id': 'ada',
  'user.is_new': false,
  'user.evaluations_today': 0,
  'user.failures_today': 0,
  'user.devices_today': 0,
  'user.countries_today': 0,
  'device.is_new': false,
  'device.is_trusted': false,
  'device.is_proven': false,
  'device.kind': 'desktop',
  'device.os': 'Linux',
  'device.browser': 'Chromium',
  'device.matched_by': 'exact',
  'device.other_users': 0,
  'device.users_today': 0,
  'address.ip': '198.51.100.7',
  'address.is_trusted': false,
  'address.country': '',
  'address.asn': 0,
  'address.organisation': '',
  'address.kind': '',
  'address.users_today': 0,
  'address.failures_today': 0,
  'address.signups_today': 0,
  'email.domain': '',
  'risk.score': 0,
  'time.hour': 12,
  'time.weekday': 1,
};

/** Returns values of all facts, with some changed. */
export function factValues(changes: Partial<FactValues> = {}): FactValues {
  return { ...values, ...changes };
}
