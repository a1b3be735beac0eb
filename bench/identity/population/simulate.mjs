import { facets } from '../../../dist/fingerprint.js';
import { advance, drawDevice } from './device.mjs';
import { epochs, facetsOf, rawOf } from './facets-of.mjs';
import { readNetwork } from './network.mjs';
import { seeded } from './random.mjs';
import { textOf } from './scoring.mjs';

const names = facets.map(({ name }) => name);

/** Assigns equal texts equal numbers from 1 up. Undefined is 0. */
function interner() {
  const known = new Map();
  return (text) => {
    if (text === undefined) return 0;
    let number = known.get(text);
    if (number === undefined) {
      number = known.size + 1;
      known.set(text, number);
    }
    return number;
  };
}

/**
 * Simulates a population for a year. `visits` yields each visit, with its day, device and fingerprint. Equal
 * fingerprints are one object, with `values` (a number for each facet, 0 if unreadable), `own` (the number of the
 * package's whole text, which `textOf` returns) and `raw` (the attributes for FP-Stalker's rules, with its own `id`).
 *
 * @param options.arrange Called with the devices before their first visit, to change them.
 * @param options.followed Number of devices that visit at this interval. The others visit once in
 *   the year. Default: all.
 */
export function simulate({
  devices: count,
  seed,
  perRelease,
  visitEveryDays,
  days = 365,
  withRaw = true,
  arrange,
  followed = count,
}) {
  const random = seeded(seed);
  const network = readNetwork();
  const epoch = epochs(perRelease, seeded);
  const devices = Array.from({ length: count }, () => drawDevice(network, random));
  arrange?.(devices);
  const read = createReader({ epoch, withRaw });
  const now = devices.map(read);
  return {
    names,
    count,
    /** The fingerprint of each device at its last visit. */
    now,
    *visits() {
      const only = Float32Array.from({ length: count }, (_, device) => (device < followed ? 0 : random()));
      for (let day = 0; day < days; day++) {
        for (let device = 0; device < count; device++) {
          const visits = device < followed ? random() * visitEveryDays < 1 : day === Math.floor(only[device] * days);
          if (!visits) continue;
          if (advance(devices[device], day, random)) now[device] = read(devices[device]);
          yield { day, device, fingerprint: now[device] };
        }
      }
    },
  };
}

/** Returns a function that reads the fingerprint of a device, as {@link simulate} describes it. */
export function createReader({ epoch, withRaw }) {
  const intern = new Map(names.map((name) => [name, interner()]));
  const fingerprints = new Map();
  const owns = new Map();
  const raws = new Map();
  return (device) => {
    const texts = facetsOf(device, epoch);
    const values = Uint32Array.from(names, (name) => intern.get(name)(texts[name]));
    const raw = withRaw
      ? unique(raws, JSON.stringify(rawOf(device, epoch)), (text, id) => ({ ...JSON.parse(text), id }))
      : { id: 0 };
    const family = `${device.os}${device.engine}`;
    const version = device.version + device.release;
    return unique(fingerprints, `${family} ${version} ${values.join()} ${raw.id}`, (_, id) => {
      const own = unique(owns, `${family} ${version} ${values.join()}`, (_text, number) => number);
      const descriptor = `${device.kind}${device.os}${device.engine}${Math.floor(version)}`;
      return { id, own, values, family, version, raw, descriptor };
    });
  };
}

/** Returns a fingerprint as the text that the package would create. */
export const fingerprintText = ({ values, descriptor }) => textOf(values, descriptor);

function unique(known, key, make) {
  let value = known.get(key);
  if (!value) {
    value = make(key, known.size);
    known.set(key, value);
  }
  return value;
}
