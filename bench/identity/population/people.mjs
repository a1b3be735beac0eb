import { given } from '../../risk/sources.mjs';

/** What browsers keep, and who shares a device. Devices per person and people per workplace: docs/research/risk-trace.md. */
export const habits = {
  /** Share of people who clear storage, on average once in this many days (comScore 2007: 31% within a month). */
  clear: { share: 0.31, days: 30 },
  /** Days without a visit after which WebKit deletes what a page stored (WebKit's tracking prevention). */
  webkitDays: 7,
  /** Share of devices with private windows (DuckDuckGo 2017: 46% use them, half of these weekly or daily), and of their visits. */
  private: { share: 0.25, visits: 0.25 },
  /** Estimates: share of devices with a second user by kind, and of the visits that are theirs. */
  shared: { d: 0.15, t: 0.15, m: 0.02, visits: 0.3 },
  /** Estimate: share of second devices of one family that begin with the storage of the first, from a backup. */
  restored: 0.2,
};

/** What one machine of a fleet has in common with the others. */
const installed = [
  ...['os', 'engine', 'kind', 'brand', 'version', 'userAgent', 'system', 'touch', 'cores', 'memory', 'videoCards'],
  ...['arm', 'screens', 'fonts', 'codecs', 'plugins', 'doNotTrack', 'language', 'home', 'zone', 'preferences'],
  ...['darkAtNight', 'pointers'],
];

/**
 * Gives devices to people: phones, computers, tablets and computers at work, some of them with a second user. Returns a
 * function that draws who visits with a device on a day, and what its browser has kept.
 *
 * @param options.fleets Share of workplaces whose computers become equal to one of them. Default: 0.
 */
export function arrangePeople(devices, random, { fleets: fleetShare = 0 } = {}) {
  const free = { m: [], t: [], d: [] };
  for (const [at, { kind }] of devices.entries()) free[kind].push(at);
  const workplaces = Math.ceil((devices.length / 2) * (given.employed / given.perWorkplace));
  const fleets = new Map();
  const owns = new Array(devices.length);
  let people = 0;
  for (; free.m.length + free.t.length + free.d.length > 0; people++) {
    const mine = [];
    const take = (kind, share, work) => {
      if (random() >= share || free[kind].length === 0) return;
      const at = free[kind].pop();
      if (work < workplaces * fleetShare) joinFleet(devices[at], fleets, work);
      owns[at] = {
        user: people,
        second: work === undefined && random() < habits.shared[kind] ? people + 1 : people,
        ...drawHabits(random),
        restored: mine.find((one) => isOneFamily(devices[one], devices[at]) && random() < habits.restored),
      };
      mine.push(at);
    };
    take('m', given.phoneOwners);
    take('d', given.computerOwners);
    take('t', given.tabletOwners);
    if (random() < given.employed) take('d', given.workComputers, Math.floor(random() * workplaces));
  }
  return function visitOf(at, day) {
    const own = owns[at];
    const user = random() < habits.shared.visits ? own.second : own.user;
    return { user, ...storageAt(own, devices[at], { day, random }), restored: own.restored };
  };
}

/** Draws how the owner of a browser treats its storage. */
export function drawHabits(random) {
  return {
    clears: random() < habits.clear.share ? 1 / habits.clear.days : 0,
    isPrivate: random() < habits.private.share,
    seen: 0,
  };
}

/** Returns whether a visit is in a private window, and whether the storage was deleted since the last one. */
export function storageAt(own, { engine }, { day, random }) {
  const days = day - own.seen;
  own.seen = day;
  const isExpired = engine === 'w' && days > habits.webkitDays;
  return {
    isPrivate: own.isPrivate && random() < habits.private.visits,
    isCleared: isExpired || random() < 1 - Math.exp(-own.clears * days),
  };
}

function joinFleet(device, fleets, workplace) {
  const model = fleets.get(workplace);
  if (!model) fleets.set(workplace, device);
  else for (const name of installed) device[name] = model[name];
}

const isOneFamily = (one, other) => one.os === other.os && one.engine === other.engine;

/** Returns a function that adds what the browser has stored to a visit: the saved fingerprint and the key. */
export function keepStorage(random, { devices, followed = devices }) {
  const saved = new Array(devices);
  const keys = new Array(devices);
  let newest = 0;
  return (device, text, { user, isPrivate, isCleared, restored }) => {
    const isFirst = keys[device] === undefined;
    if (isCleared) saved[device] = undefined;
    if (isFirst && restored !== undefined) saved[device] = saved[restored];
    if (isFirst || isCleared) keys[device] = newest++;
    const visit = { user, isCrowd: device >= followed, last: saved[device], key: keys[device], proofDraw: random() };
    if (isPrivate) return { ...visit, last: undefined, key: newest++ };
    saved[device] = text;
    return visit;
  };
}
