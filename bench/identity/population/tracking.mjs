/**
 * Returns how long identities last. `days`, `devices` and `identities` are columns with one visit per row, ordered by
 * time.
 *
 * As in FP-Stalker, a chain is all visits of one device with one identity, and lasts from the first to the last. An
 * identity given to several devices belongs to the one with the most visits. The chains of the others last 0 days, so
 * that treating all devices as one is no advantage. A device's mean is over its chains, and its maximum is its longest
 * chain.
 *
 * If only the first `followed` devices are of interest, the result is theirs alone. An identity that another device
 * visited first then belongs to that device.
 *
 * @param {{ days: ArrayLike<number>, devices: ArrayLike<number>, identities: ArrayLike<number>, length: number, count:
 *   number, followed?: number }} visits
 */
export function trackedTime({ days, devices, identities, length, count, followed = count }) {
  /** @type {Map<number, { identity: number, device: number, first: number, last: number, visits: number }>} */
  const chains = new Map();
  for (let at = 0; at < length; at++) {
    const key = identities[at] * count + devices[at];
    const visits = devices[at] < followed ? 1 : Infinity;
    const chain = chains.get(key);
    if (!chain)
      chains.set(key, { identity: identities[at], device: devices[at], first: days[at], last: days[at], visits });
    else {
      chain.last = days[at];
      chain.visits += visits;
    }
  }
  const owner = new Map();
  for (const chain of chains.values()) {
    if (chain.visits > (owner.get(chain.identity)?.visits ?? 0)) owner.set(chain.identity, chain);
  }
  const sums = new Float64Array(count);
  const longest = new Float64Array(count);
  const counts = new Uint32Array(count);
  const confused = new Set();
  let stolen = 0;
  let all = 0;
  for (const chain of chains.values()) {
    if (chain.device >= followed) continue;
    all += chain.visits;
    counts[chain.device]++;
    if (owner.get(chain.identity) !== chain) {
      stolen += chain.visits;
      confused.add(chain.device);
      continue;
    }
    const lasted = chain.last - chain.first;
    sums[chain.device] += lasted;
    longest[chain.device] = Math.max(longest[chain.device], lasted);
  }
  const mean = (numberOf) => {
    let sum = 0;
    let seen = 0;
    for (let device = 0; device < count; device++) {
      if (counts[device] === 0) continue;
      sum += numberOf(device);
      seen++;
    }
    return sum / seen;
  };
  return {
    meanDays: mean((device) => sums[device] / counts[device]),
    longestDays: mean((device) => longest[device]),
    identitiesPerDevice: mean((device) => counts[device]),
    visitsToAnother: stolen / all,
    devicesToAnother: confused.size,
    devices: counts.filter((number) => number > 0).length,
  };
}
