import { noCounts } from '../../recognition/velocity/rules/counts.js';
import type { FactValues } from '../../resources/projects/rules/conditions/facts.js';
import type { Facts, Finding } from './facts.js';
import type { Risk } from './risk/contribution.js';
import { isKnownDevice, isTrustedDevice } from './trust.js';

/** Returns the values of all facts of conditions. */
export function valuesOf(facts: Facts, found: readonly Finding[], risk: Risk | undefined): FactValues {
  const { device, address, match, velocity, request, now } = facts;
  const { user, device: ofDevice, address: ofAddress } = velocity;
  const [byUser, byDevice, byAddress] = [user, ofDevice, ofAddress].map((counts) => (counts ?? noCounts).day);
  const descriptor = request.parsed?.descriptor;
  return {
    action: facts.action,
    outcome: facts.outcome,
    metadata: request.metadata,
    reasons: found.map(({ reason }) => reason),
    'user.id': facts.user.externalId,
    'user.is_new': !facts.user.exists,
    'user.evaluations_today': byUser?.evaluations ?? 0,
    'user.failures_today': byUser?.failures ?? 0,
    'user.devices_today': byUser?.devices ?? 0,
    'user.countries_today': byUser?.countries ?? 0,
    'device.is_new': !isKnownDevice(facts),
    'device.is_trusted': isTrustedDevice(facts),
    'device.is_proven': device?.proof === 'valid',
    'device.kind': descriptor?.kind ?? 'unknown',
    'device.os': descriptor?.os ?? 'unknown',
    'device.browser': descriptor?.browser ?? 'unknown',
    'device.matched_by': match.matchedBy,
    'device.other_users': facts.others.length,
    'device.users_today': byDevice?.users ?? 0,
    'address.ip': address?.ip ?? '',
    'address.is_trusted': address?.trusted ?? false,
    'address.country': address?.info?.country ?? '',
    'address.asn': address?.info?.asn ?? 0,
    'address.organisation': address?.info?.organisation ?? '',
    'address.kind': address?.info?.kind ?? '',
    'address.users_today': byAddress?.users ?? 0,
    'address.failures_today': byAddress?.failures ?? 0,
    'address.signups_today': byAddress?.signups ?? 0,
    'email.domain': request.emailDomain ?? '',
    'risk.score': risk?.score ?? 0,
    'time.hour': now.getUTCHours(),
    'time.weekday': now.getUTCDay() || 7,
    ...(facts.counters && { counters: facts.counters }),
  };
}
