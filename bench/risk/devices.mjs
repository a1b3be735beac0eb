import { facets } from '../../dist/fingerprint.js';
import { readFingerprint } from '../../service/dist/testing.js';
import { advance, drawDevice as draw, readUserAgent } from '../identity/population/device.mjs';
import { epochs } from '../identity/population/facets-of.mjs';
import { readNetwork } from '../identity/population/network.mjs';
import { seeded } from '../identity/population/random.mjs';
import { perRelease } from '../identity/population/recorded.mjs';
import { createReader, fingerprintText } from '../identity/population/simulate.mjs';
import { countryOf } from '../identity/population/world.mjs';

/** Where the time zone stands in the fingerprint's last group, which has four characters for each facet. */
const zoneAt = 4 * facets.filter(({ group }) => group === 'setting').findIndex(({ name }) => name === 'timezone');

const kinds = {
  phone: ({ kind, userAgent }) => kind === 'm' && !/iPad/.test(userAgent),
  tablet: ({ kind, userAgent }) => kind === 't' || /iPad/.test(userAgent),
  computer: ({ kind }) => kind === 'd',
};
/** What devices of one model have in common. */
const model = [
  'kind',
  'os',
  'arm',
  'touch',
  'cores',
  'memory',
  'videoCards',
  'screens',
  'codecs',
  'pointers',
  'system',
];
/** What two browsers of one computer have in common. */
const computer = [...model.filter((name) => name !== 'codecs'), 'fonts', 'language', 'zone', 'home', 'preferences'];

/**
 * Returns the devices of a trace: those of the population benchmark, which are drawn from real traffic and change as
 * published studies say.
 *
 * @param network What real browsers have. Default: the network of the population benchmark.
 */
export function createDevices(network = readNetwork()) {
  const read = createReader({ epoch: epochs(perRelease, seeded), withRaw: false });
  const hardwareOf = new Map();
  const userAgentOf = (random, kind) => {
    for (;;) {
      const userAgent = network.userAgent(random);
      const touch = Number(network.attribute('maxTouchPoints', userAgent, random) ?? 0);
      if (kinds[kind]({ ...readUserAgent(userAgent, touch), userAgent })) return userAgent;
    }
  };

  /** Draws a device of a kind in a country, as it is on its first day. */
  function drawDevice(random, { kind, country, from = 0, userAgent = userAgentOf(random, kind) }) {
    const device = draw(network, random, { userAgent, country: countryOf(country) });
    // A journey changes the time zone, and the trace says when there is one.
    device.rates.timezone = 0;
    return { ...device, day: from, release: Math.floor(from / device.cadence.everyDays), type: kind };
  }

  return {
    drawDevice,

    /** Draws another browser on the same computer. */
    drawSecondBrowser(random, device, { country, from }) {
      for (;;) {
        const second = drawDevice(random, { kind: 'computer', country, from });
        if (second.os === device.os && second.engine !== device.engine) return sharing(second, device, computer);
        // Some systems have one engine only.
        if (random() < 0.01) return undefined;
      }
    },

    /** Draws another device with the same browser and version as this one. `isSameModel`: also the same hardware. */
    drawLookAlike(random, device, { country, release, isSameModel = false }) {
      const { type: kind, userAgent } = device;
      const other = { ...drawDevice(random, { kind, country, userAgent }), release };
      return isSameModel ? sharing(other, device, model) : other;
    },

    /** Returns what a script shows that changes the time zone of a copied fingerprint. */
    withOtherZone(random, { fingerprint, ...shown }) {
      const zone = Math.floor(random() * 36 ** 4)
        .toString(36)
        .padStart(4, '0');
      const parts = fingerprint.split('.');
      parts[4] = `${parts[4].slice(0, zoneAt)}${zone}${parts[4].slice(zoneAt + zone.length)}`;
      return { ...shown, fingerprint: parts.join('.') };
    },

    /** Returns what a login shows of a device in a time zone, and the user agent as current browsers send it. */
    show(device, zone = device.home) {
      const fingerprint = fingerprintText(read({ ...device, zone }));
      if (!hardwareOf.has(fingerprint)) hardwareOf.set(fingerprint, readFingerprint(fingerprint).hardwareKey);
      const browser = device.brand.length > 1 ? device.brand : device.engine;
      const version = Math.floor(device.version + device.release);
      return {
        fingerprint,
        hardware: hardwareOf.get(fingerprint) ?? fingerprint,
        // The service reads system and engine from the fingerprint.
        descriptor: `${device.os} ${device.engine}`,
        userAgent: `${device.os} ${browser} ${version}`,
        browserVersion: `${browser} ${version}`,
        os: device.os,
        kind: device.type,
      };
    },
  };
}

/** Advances a device to a day: updates and other changes. */
export function advanceDevice(device, day, random) {
  if (day > device.day) advance(device, day, random);
}

function sharing(device, other, names) {
  return { ...device, ...Object.fromEntries(names.map((name) => [name, other[name]])) };
}
