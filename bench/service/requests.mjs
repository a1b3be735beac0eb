import { addressOf, fingerprintOf, fingerprintOfNew, fingerprintOfUpdated, userOf } from './population.mjs';

/**
 * @typedef {object} Request
 * @property {string} kind
 * @property {object} body Of `POST /v2/device/evaluate`.
 * @property {string} verdict The expected verdict.
 */

/** The mix of the load, in shares. Known devices at their trusted addresses make up nine tenths. */
export const mixed = {
  known: 0.6,
  knownWithLast: 0.28,
  updated: 0.02,
  newDeviceOfKnownModel: 0.025,
  newDevice: 0.025,
  signUpOnKnownModel: 0.025,
  signUp: 0.025,
};
/** The share for which the peer reads and writes the rows. */
export const knownOnly = { known: 1 };

/** @typedef {Partial<Record<keyof typeof mixed, number>>} Mix */

/**
 * Creates requests in the shares of a mix, the same ones in each run.
 *
 * @param {{ mix: Mix, devices: number }} options `devices`: the size of the population.
 * @returns {() => Request}
 */
export function createRequests({ mix, devices }) {
  const random = createRandom();
  let upTo = 0;
  const bounds = Object.entries(mix).map(([kind, share]) => {
    upTo += share;
    return { kind, upTo };
  });
  const choose = (/** @type {number} */ at) => bounds.find((bound) => at < bound.upTo)?.kind ?? 'known';
  return () => {
    const kind = choose(random());
    return { kind, ...makers[kind](Math.floor(random() * devices)) };
  };
}

/** Numbers of devices and users outside every population, unique to this process, so that nothing new occurs twice. */
let newest = 1_000_000_000 + (Date.now() % 1_000_000_000);

/** @type {Record<string, (n: number) => Omit<Request, 'kind'>>} */
const makers = {
  known: (n) => ({ body: login(n, fingerprintOf(n)), verdict: 'allow' }),
  /** As the browser package sends it at every visit except the first. */
  knownWithLast: (n) => ({ body: login(n, fingerprintOf(n), fingerprintOf(n)), verdict: 'allow' }),
  updated: (n) => ({ body: login(n, fingerprintOfUpdated(n, newest++), fingerprintOf(n)), verdict: 'allow' }),
  /** A user of the population with another device at home. */
  newDeviceOfKnownModel: (n) => ({ body: login(n, fingerprintOfNew(newest++, n)), verdict: 'challenge' }),
  newDevice: (n) => ({ body: login(n, fingerprintOfNew(newest++)), verdict: 'challenge' }),
  signUpOnKnownModel: (n) => signUp(newest++, n),
  signUp: () => signUp(newest++),
};

/** @param {number} n @param {string} fingerprint @param {string} [last] */
function login(n, fingerprint, last = '') {
  return { action: 'login', user: userOf(n), ...sentBy(fingerprint, last), ip: addressOf(n) };
}

/** @param {number} n @param {number} [alike] A device of the population of the same model. */
function signUp(n, alike) {
  const user = { user: `new-user-${n}`, email: `new-user-${n}@example.com`, ip: addressOf(n, 11) };
  return { body: { action: 'signup', ...user, ...sentBy(fingerprintOfNew(n, alike), '') }, verdict: 'allow' };
}

/** @param {string} fingerprint @param {string} last */
function sentBy(fingerprint, last) {
  const user_agent = userAgentOf(fingerprint);
  return { fingerprint, last_fingerprint: last, version: '0.1.0', user_agent, metadata: { plan: 'family' } };
}

/** Returns what a browser with this fingerprint sends: the population has Chrome on Linux, whose version is in the scope. */
function userAgentOf(/** @type {string} */ fingerprint) {
  const [, version] = /^w1\.dlc(\d+)\./.exec(fingerprint) ?? [];
  if (!version) throw new Error(`The population has no browser like that of ${fingerprint}.`);
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
}

/** Mulberry32: small, fast, and sufficient for choosing devices. */
function createRandom(seed = 1) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
