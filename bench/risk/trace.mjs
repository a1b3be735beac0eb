import { dayMs } from '../../service/dist/testing.js';
import { storageAt } from '../identity/population/people.mjs';
import { seeded, waiting } from '../identity/population/random.mjs';
import { advanceDevice, createDevices } from './devices.mjs';
import { drawHour, drawPerson, drawWorkplaces, visit } from './people.mjs';
import { given } from './sources.mjs';
import { createWorld } from './world.mjs';

/** The first day of the trace, a Monday. */
const start = Date.UTC(2024, 0, 1);

/**
 * Generates a trace: the logins of honest people in a year, in order of time.
 *
 * A login has `at` (ms), `day`, `hour` (UTC), `user`, `outcome`, the place's facts (`place`), what it shows of the device
 * (`shown`), what the browser has kept (`kept`: `last`, the saved fingerprint, and `key`), `proofDraw` (0 to 1: it brings a proof
 * of the key if this is below the share of visits with proof) and `truth`, which only the report reads.
 *
 * @param {object} [options]
 * @param {number} [options.people]
 * @param {number} [options.days]
 * @param {number} [options.seed]
 * @param {Parameters<typeof createDevices>[0]} [options.network] What real browsers have, by default as in the population
 *   benchmark.
 * @param {number} [options.perYear] How often each person logs in. By default as often as the parameters say.
 */
export function generate({ people: count = 10_000, days = 365, seed = 1, network, perYear } = {}) {
  const random = seeded(seed);
  const devices = createDevices(network);
  const world = { ...createWorld(random), devices };
  const workplaces = drawWorkplaces(random, world, count);
  const people = Array.from({ length: count }, (_, id) =>
    drawPerson(random, { id, world, workplaces, devices, days, perYear }),
  );
  const planned = people.flatMap((person) => plan(random, person, days)).sort((a, b) => a.at - b.at);
  const logins = planned
    .flatMap(({ at, person }) => attempts(random, { at, person, world }))
    .sort((a, b) => a.at - b.at);
  return { world, people, logins, days };
}

const traces = new Map();

/** Returns the trace of `generate`, which is generated once for all tables of a process. */
export function traceOf(options) {
  const key = JSON.stringify(options);
  if (!traces.has(key)) traces.set(key, generate(options));
  return traces.get(key);
}

/** Returns the times of a person's logins. The first one, the sign-up, is in the first 300 of 365 days. */
function plan(random, person, days) {
  const perDay = person.perYear / 365;
  const times = [];
  // Most people have their account before the trace begins.
  let day = random() < given.earlierAccounts ? waiting(random, perDay) : (random() * days * 300) / 365;
  while (day < days) {
    const local = Math.floor(day) * 24 + drawHour(random, person);
    const zone = Math.round(person.country.lon / 15);
    times.push({ at: start + Math.max(0, local - zone) * 3_600_000 + Math.floor(random() * 3_600_000), person });
    day += waiting(random, perDay);
  }
  return times.filter(({ at }) => at < start + days * dayMs);
}

function attempts(random, { at, person, world }) {
  const day = (at - start) / dayMs;
  const date = new Date(at);
  const zone = Math.round(person.country.lon / 15);
  const local = (date.getUTCHours() + zone + 24) % 24;
  const { own, trip, place } = visit(random, person, { day, hour: local, weekday: date.getUTCDay(), world });
  advanceDevice(own.device, day, random);
  own.id ??= `${person.id}.${person.devices.indexOf(own)}`;
  const shown = { ...world.devices.show(own.device, trip?.zone), recognisable: own.id };
  const isFirstUse = !own.used;
  own.used = true;
  const login = {
    at,
    day,
    hour: date.getUTCHours() + date.getUTCMinutes() / 60,
    user: person.id,
    outcome: 'succeeded',
    place,
    shown,
    kept: keep(random, own, { day, fingerprint: shown.fingerprint }),
    proofDraw: random(),
    truth: {
      who: 'owner',
      person,
      device: own.device,
      deviceId: own.id,
      release: own.device.release,
      home: person.home,
      trip: Boolean(trip),
      isFirstUse,
      isReplacement: own.isReplacement,
      movedAt: person.movedAt,
      perYear: person.perYear,
    },
  };
  const failures = [];
  let probability = given.honestFailures;
  while (random() < probability && failures.length < 5) {
    const failure = { ...login, at: at - (failures.length + 1) * 15_000, outcome: 'failed' };
    const mistyped = random() < given.mistypedNames && { user: `mistyped ${person.id}`, userExists: false };
    failures.unshift({ ...failure, ...mistyped });
    probability = given.failedAgain;
  }
  return [...failures, login];
}

/** Returns what a browser has kept until a visit, and stores what the visit leaves behind. */
function keep(random, own, { day, fingerprint }) {
  const { isPrivate, isCleared } = storageAt(own.habits, own.device, { day, random });
  const newKey = () => `${own.id} ${random()}`;
  if (isCleared || own.key === undefined) {
    own.key = newKey();
    own.last = undefined;
  }
  if (isPrivate) return { last: undefined, key: newKey() };
  const kept = { last: own.last, key: own.key };
  own.last = fingerprint;
  return kept;
}
