import { facets } from '../../../dist/fingerprint.js';
import { advance, drawDevice } from './device.mjs';
import { epochs, facetsOf, rawOf } from './facets-of.mjs';
import { readNetwork } from './network.mjs';
import { seeded } from './random.mjs';

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
 * package's whole text) and `raw` (the attributes for FP-Stalker's rules, with its own `id`).
 */
export function simulate({ devices: count, seed, perRelease, visitEveryDays, days = 365, withRaw = true }) {
  const random = seeded(seed);
  const network = readNetwork();
  const epoch = epochs(perRelease, seeded);
  const devices = Array.from({ length: count }, () => drawDevice(network, random));
  const intern = new Map(names.map((name) => [name, interner()]));
  const fingerprints = new Map();
  const owns = new Map();
  const raws = new Map();
  const read = (device) => {
    const texts = facetsOf(device, epoch);
    const values = Uint32Array.from(names, (name) => intern.get(name)(texts[name]));
    const raw = withRaw
      ? unique(raws, JSON.stringify(rawOf(device, epoch)), (text, id) => ({ ...JSON.parse(text), id }))
      : { id: 0 };
    const family = `${device.os}${device.engine}`;
    const version = device.version + device.release;
    return unique(fingerprints, `${family} ${version} ${values.join()} ${raw.id}`, (_, id) => {
      const own = unique(owns, `${family} ${version} ${values.join()}`, (_text, number) => number);
      return { id, own, values, family, version, raw };
    });
  };
  const now = devices.map(read);
  return {
    names,
    count,
    /** The fingerprint of each device at its last visit. */
    now,
    *visits() {
      for (let day = 0; day < days; day++) {
        for (let device = 0; device < count; device++) {
          if (random() * visitEveryDays >= 1) continue;
          if (advance(devices[device], day, random)) now[device] = read(devices[device]);
          yield { day, device, fingerprint: now[device] };
        }
      }
    },
  };
}

function unique(known, key, make) {
  let value = known.get(key);
  if (!value) {
    value = make(key, known.size);
    known.set(key, value);
  }
  return value;
}
