import {
  chooseIdentity,
  countSample,
  dayMs,
  emptyCensus,
  groupKeys,
  maxOwnDevices,
  maxPerGroup,
  readFingerprint,
  sampleSize,
} from '../../../service/dist/testing.js';

/**
 * Links visits by the service's own rules over an index in memory. A visit has a `day`, a `text`, and, if known, the
 * `user`, the saved fingerprint `last`, and the proven `key`. One of the crowd (`isCrowd`) gets an identity of its own.
 * `identify` returns the choice of the service's rules, whose `identityId` is undefined for a new identity. `link` stores a visit with
 * that choice, and returns the number of its identity.
 *
 * @param options.sampleEveryDays How often frequencies are counted. The service counts every five minutes; in a large
 *   population, a week changes little. Default: 7.
 */
export function createLinking({ random, choose = chooseIdentity, sampleEveryDays = 7 }) {
  const exact = new Map();
  const groups = new Map();
  const users = new Map();
  const keys = new Map();
  const texts = [];
  let identities = 0;
  let devices = 0;
  let census = emptyCensus;
  let counted = -Infinity;

  const keysOf = (text) => {
    const { parsed, hardwareKey } = readFingerprint(text);
    return [['hardware', hardwareKey], ...Object.entries(groupKeys(parsed))].flatMap(([name, key]) =>
      key == null ? [] : [`${name} ${key}`],
    );
  };
  const candidate = ({ identity, text, day }, from) => ({
    identityId: identity,
    fingerprint: text,
    lastSeenAt: new Date(day * dayMs),
    from,
  });
  /** Returns the variant with a fingerprint: the user's own, or else the oldest. */
  const find = (text, own) => {
    const all = exact.get(text);
    return all && (all.find(({ identity }) => own?.has(identity)) ?? all[0]);
  };
  const touch = (variant, day) => {
    if (day <= variant.day) return;
    variant.day = day;
    for (const key of variant.keys) {
      const group = groups.get(key);
      const at = group.findIndex(({ identity }) => identity === variant.identity);
      if (at >= 0 && group[at] !== variant) continue;
      if (at >= 0) group.splice(at, 1);
      group.unshift(variant);
      group.length = Math.min(group.length, maxPerGroup);
    }
  };
  const store = (text, identity, day) => {
    const variant = { text, identity, day, keys: keysOf(text) };
    const all = exact.get(text);
    if (all) all.push(variant);
    else exact.set(text, [variant]);
    texts.push(text);
    for (const key of variant.keys) {
      const others = (groups.get(key) ?? []).filter((one) => one.identity !== identity);
      groups.set(key, [variant, ...others.slice(0, maxPerGroup - 1)]);
    }
    return variant;
  };
  const refreshCensus = (day) => {
    if (day < counted + sampleEveryDays || texts.length === 0) return;
    counted = day;
    const draw = () => texts[Math.floor(random() * texts.length)];
    const sample = texts.length > sampleSize ? Array.from({ length: sampleSize }, draw) : texts;
    census = countSample(sample, devices);
  };
  const record = (variant, { day, user, key }) => {
    const own = users.get(user) ?? new Map();
    users.set(user, own);
    const known = own.get(variant.identity);
    if (!known) devices++;
    // A new device completes a challenge, which adds its key. Later, a first key is added with the same fingerprint only,
    // and another one only by another challenge, which nobody needs at a trusted address.
    const isAdded = key !== undefined && (!known || (!known.hasKey && known.trusted === variant.text));
    own.delete(variant.identity);
    own.set(variant.identity, {
      ...variant,
      day,
      trusted: known?.trusted ?? variant.text,
      hasKey: known?.hasKey || isAdded,
    });
    if (!isAdded) return;
    const holders = keys.get(key) ?? new Map();
    keys.set(key, holders.set(variant.identity, own));
  };
  const identify = ({ day, text, user, last, key }) => {
    const own = users.get(user);
    const known = find(text, own);
    const holders = keys.get(key);
    const isKeys = !holders || [...holders.keys()].at(-1) === known?.identity;
    if (known && isKeys && (user === undefined || own?.has(known.identity)))
      return { identityId: known.identity, confidence: 1, changed: [] };
    const saved = last !== undefined && last !== text ? find(last, own) : undefined;
    const similar = keysOf(text).flatMap((name) => groups.get(name) ?? []);
    const candidates = [
      ...[...(holders ?? [])].slice(-maxPerGroup).map(([identity, devices]) => candidate(devices.get(identity), 'key')),
      ...[...(own?.values() ?? [])].slice(-maxOwnDevices).map((one) => candidate(one, 'user')),
      ...(saved ? [candidate(saved, 'last')] : []),
      ...[...new Set([...(exact.get(text)?.slice(0, maxPerGroup) ?? []), ...similar])].map((one) =>
        candidate(one, 'project'),
      ),
    ];
    refreshCensus(day);
    return choose(text, candidates, { now: new Date(day * dayMs), census });
  };
  const recognise = (visit, found) => {
    const identity = found.identityId ?? identities++;
    const { text, day } = visit;
    const stored = exact.get(text)?.find((one) => one.identity === identity);
    return stored ?? store(text, identity, day);
  };
  const link = (visit, found = visit.isCrowd ? { identityId: undefined } : identify(visit)) => {
    const variant = recognise(visit, found);
    touch(variant, visit.day);
    if (visit.user !== undefined) record(variant, visit);
    return variant.identity;
  };
  return { link, identify };
}
