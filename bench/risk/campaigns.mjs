import { dayMs } from '../../service/dist/testing.js';
import { seeded } from '../identity/population/random.mjs';
import { given } from './sources.mjs';

import { drawCity, fixedLine, hosting } from './world.mjs';

/** Campaigns: many attempts with stolen or guessed passwords. Few succeed. */
export const campaigns = {
  stuffing1: { title: 'stuffing: 10,000 tries, 1 address', tries: 10_000, addresses: 1, days: 1 },
  stuffing100: { title: 'stuffing: 10,000 tries, 100 addresses', tries: 10_000, addresses: 100, days: 1 },
  stuffing10000: {
    title: 'stuffing: 10,000 tries, 10,000 addresses, one fingerprint',
    tries: 10_000,
    addresses: 10_000,
    days: 1,
  },
  stuffingRotating: {
    title: 'stuffing: 10,000 tries, 10,000 addresses, a new fingerprint each',
    tries: 10_000,
    addresses: 10_000,
    days: 1,
    rotates: true,
  },
  stuffingSlow: { title: 'the same over 30 days', tries: 10_000, addresses: 10_000, days: 30, rotates: true },
  stuffingKnown: {
    title: 'the same in one day, with names that all exist',
    tries: 10_000,
    addresses: 10_000,
    days: 1,
    rotates: true,
    overlap: 1,
  },
  guessing1: {
    title: 'guessing: 200 tries against one user, 1 address',
    tries: 200,
    addresses: 1,
    days: 1,
    oneUser: true,
  },
  guessing200: {
    title: 'guessing: 200 tries against one user, 200 addresses',
    tries: 200,
    addresses: 200,
    days: 1,
    oneUser: true,
    rotates: true,
  },
};

/** Returns the attempts of a campaign that begins on a day, in order of time. */
export function campaignAttempts(name, { trace: { world, people, logins }, day, seed }) {
  const { tries, addresses, days, rotates, oneUser, overlap = given.leakOverlap } = campaigns[name];
  const random = seeded(seed);
  const places = Array.from({ length: addresses }, () => {
    const country = world.country(random);
    // Bought proxies: mostly homes, some servers.
    return random() < 0.3
      ? hosting(random, { country })
      : fixedLine(random, { country, city: drawCity(random), isp: country.isp(random) });
  });
  const { devices } = world;
  const newDevice = () => {
    const { code: country } = world.country(random);
    const shown = devices.show(devices.drawDevice(random, { kind: 'computer', country, from: day }));
    return { ...shown, recognisable: shown.fingerprint };
  };
  const shown = newDevice();
  const start = logins[0].at - (logins[0].day % 1) * dayMs + (day - Math.floor(logins[0].day)) * dayMs;
  const victim = people[Math.floor(random() * people.length)].id;
  return Array.from({ length: tries }, (_, index) => {
    const exists = random() < overlap;
    const user = oneUser
      ? victim
      : exists
        ? people[Math.floor(random() * people.length)].id
        : `unknown ${name} ${index}`;
    const at = start + Math.floor(((index + random()) / tries) * days * dayMs);
    return {
      at,
      day: day + (at - start) / dayMs,
      hour: new Date(at).getUTCHours(),
      user,
      userExists: oneUser || exists,
      outcome: exists && !oneUser && random() < given.stuffingHits ? 'succeeded' : 'failed',
      place: places[index % addresses],
      shown: rotates ? newDevice() : shown,
      truth: { who: name, index },
    };
  });
}

/** Merges two lists of attempts in order of time. */
export function merge(a, b) {
  return [...a, ...b].sort((one, other) => one.at - other.at);
}

/**
 * Feeds a year of attempts to a detector. Returns the number of alarms in the year without a campaign, and for each
 * campaign and start the number of tries before the first alarm about it, or undefined if there was none. The project is
 * new to the service when the year begins, so that nobody is known then.
 */
export function watch(trace, { detector, names = Object.keys(campaigns), starts = [200, 290], seed = 11 }) {
  const alarms = observeAll(detector, trace.logins);
  const found = names.map((name) => {
    const delays = starts.map((day, at) => {
      const attempts = campaignAttempts(name, { trace, day, seed: seed + at });
      const until = attempts[attempts.length - 1].at;
      // What comes after the campaign does not matter.
      const before = trace.logins.filter(({ at: time }) => time <= until);
      const raised = observeAll(detector, merge(before, attempts));
      const first = raised.find(({ attempt }) => attempt.at >= attempts[0].at);
      return first && attempts.filter(({ at: time }) => time <= first.attempt.at).length;
    });
    return { name, delays };
  });
  return { falseAlarmsPerYear: episodes(alarms) / (trace.days / 365), found };
}

/** Alarms of one kind within a day are one. */
function episodes(alarms) {
  let count = 0;
  const last = new Map();
  for (const { attempt, alarm } of alarms) {
    if (attempt.at - (last.get(alarm) ?? Number.NEGATIVE_INFINITY) > dayMs) count++;
    last.set(alarm, attempt.at);
  }
  return count;
}

function observeAll({ createDetector }, attempts) {
  const { observe } = createDetector();
  const raised = [];
  for (const attempt of attempts) {
    const { truth, kept, proofDraw, ...seen } = attempt;
    const alarm = observe({ userExists: true, isOwner: truth.who === 'owner', ...seen });
    if (alarm) raised.push({ attempt, alarm });
  }
  return raised;
}
