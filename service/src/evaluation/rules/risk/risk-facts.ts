import { dayMs } from '../../../ground/time.js';
import type { Access } from '../history.js';
import { journeyTo } from '../history.js';
import type { ValueCounts } from './context.js';
import { bitsOfShare } from './contribution.js';
import { descriptorOf, placesOf, type SampledLevel, type SampledPlace, shareAround, usersWith } from './frequencies.js';
import type { AddressLevels, HistoryFacts, KindFacts, LoginAttempt, RiskFacts, Seen } from './score-facts.js';

/**
 * Users elsewhere who are counted in addition to the project's own. A value that nobody else in a small project has is
 * still rare.
 */
const usersElsewhere = 1000;

/** Returns the facts of the score of a login. Pure: it only counts what it is given. */
export function riskFactsOf(attempt: LoginAttempt): RiskFacts {
  const { history, identityId, variantId, hardwareKey, counts, failures, proof, info, now } = attempt;
  const own = (test: (access: Access) => boolean) => history.reduce((sum, access) => sum + (test(access) ? 1 : 0), 0);
  const exactly = (users: number) => seenBy(users, counts);
  const fromDevice = own((access) => access.identityId === identityId);
  const deviceLogins = Math.max(fromDevice, attempt.trusted.device ? 1 : 0);
  return {
    history: historyFacts(attempt),
    device: {
      fingerprint: { own: own((access) => access.variantId === variantId), ...exactly(counts.usersOfDevice) },
      recognised: { own: deviceLogins, ...exactly(counts.usersOfDevice) },
      hardware: {
        own: Math.max(
          hardwareKey === undefined ? 0 : own((access) => access.hardwareKey === hardwareKey),
          attempt.trusted.device ? 1 : 0,
        ),
      },
      descriptor: {
        own: own((access) => access.os === attempt.os && access.browser === attempt.browser),
        ...commonly(attempt, 'descriptor', descriptorOf(attempt)),
      },
    },
    resemblance: Math.max(0, bitsOfShare(Math.min(mostConfident, attempt.confidence))),
    proof: {
      result: proof,
      deviceLogins,
      proven: own((access) => access.identityId === identityId && access.isProven),
    },
    address: attempt.network === undefined ? undefined : addressLevels(attempt, attempt.network),
    kind: kindFacts(attempt),
    speedKmh: journeyTo(info, history, now)?.kmh,
    failures,
  };
}

function seenBy(users: number, { devices }: ValueCounts): Omit<Seen, 'own'> {
  return { users, of: devices + usersElsewhere };
}

function commonly({ frequencies }: LoginAttempt, level: SampledLevel, value: string | undefined): Omit<Seen, 'own'> {
  return { users: value === undefined ? 0 : usersWith(frequencies, level, value), of: frequencies.users };
}

/** A rounded confidence of 1 is no certainty. */
const mostConfident = 1 - 1e-6;

function addressLevels(attempt: LoginAttempt, network: string): AddressLevels {
  const { history, info, counts } = attempt;
  const known = history.filter((access) => access.network !== null);
  if (known.length === 0) return { ...noLevels };
  const values = placesOf({ network, info });
  const earlier = known.map(placesOf);
  const level = (name: SampledPlace): Seen | undefined => {
    const value = values[name];
    if (earlier.every((one) => one[name] === undefined)) return undefined;
    const same = value === undefined ? 0 : earlier.filter((one) => one[name] === value).length;
    return { own: same, ...commonly(attempt, name, value) };
  };
  return {
    address: {
      own: Math.max(known.filter((access) => access.network === network).length, attempt.trusted.address ? 1 : 0),
      ...seenBy(counts.usersAtAddress, counts),
    },
    network: level('network'),
    city: level('city'),
    asn: level('asn'),
    country: level('country'),
  };
}

const noLevels: AddressLevels = {
  address: undefined,
  network: undefined,
  city: undefined,
  asn: undefined,
  country: undefined,
};

function historyFacts({ history, now, info, frequencies }: LoginAttempt): HistoryFacts {
  const [last] = history;
  const hour = now.getUTCHours();
  const hours = new Array<number>(24).fill(0);
  for (const { at } of history) hours[at.getUTCHours()] = (hours[at.getUTCHours()] ?? 0) + 1;
  const here = providerAndCityOf(info);
  const inCity = history.filter((access) => here !== undefined && providerAndCityOf(access.info) === here);
  return {
    logins: history.length,
    daysSinceLast: last ? Math.max(0, now.getTime() - last.at.getTime()) / dayMs : 0,
    devices: new Set(history.map(({ identityId }) => identityId)).size,
    addresses: new Set(history.map(({ network }) => network)).size,
    addressesInCity: new Set(inCity.map(({ network }) => network)).size,
    hourShare: shareAround(hours, history.length, hour),
    generalHourShare: shareAround(frequencies.hours, frequencies.accesses, hour),
  };
}

/** Returns provider and city, as far as they are known. */
function providerAndCityOf(info: LoginAttempt['info']): string | undefined {
  return info?.asn === undefined ? undefined : [info.asn, info.country, info.city].join(' ');
}

function kindFacts({ info, history }: LoginAttempt): KindFacts | undefined {
  const kind = info?.kind;
  return kind && { kind, isUsual: history.some((access) => access.info?.kind === kind) };
}
