/** Exact match, as in Eckersley's study: a different fingerprint is a different device. */
export function exactMatch(textOf) {
  const known = new Map();
  return (fingerprint) => {
    const text = textOf(fingerprint);
    let identity = known.get(text);
    if (identity === undefined) {
      identity = known.size;
      known.set(text, identity);
    }
    return identity;
  };
}

const rememberedFingerprints = 2;
const rememberedDays = 30;
const minSimilarity = 0.75;

/**
 * Returns the similarity of two texts, from 0 to 1: twice the length of their longest common subsequence, divided by
 * the sum of their lengths.
 */
export function similarity(a, b) {
  let row = new Uint16Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const next = new Uint16Array(b.length + 1);
    for (let j = 0; j < b.length; j++) {
      next[j + 1] = a[i] === b[j] ? row[j] + 1 : Math.max(row[j + 1], next[j]);
    }
    row = next;
  }
  return (2 * row[b.length]) / (a.length + b.length || 1);
}

/**
 * Returns a 53-bit hash of a text (cyrb53 by bryc, public domain), so that many millions of keys need not keep their
 * texts.
 */
function digest(text) {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    high = Math.imul(high ^ text.charCodeAt(at), 2654435761);
    low = Math.imul(low ^ text.charCodeAt(at), 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/**
 * The keys for finding fingerprints that pass the rules: resolution or time zone is equal, and two of the other four
 * attributes are equal. This gives twelve keys with small buckets, stored with the fingerprint.
 */
function keysOf(raw, slot, canvas) {
  raw[slot] ??= makeKeys(raw, canvas);
  return raw[slot];
}

function makeKeys(raw, canvas) {
  const fixed = `${raw.constant}|${raw.doNotTrack}|${canvas}`;
  const four = [raw.userAgent, `${raw.renderer} ${raw.driver}`, raw.plugins, raw.language];
  const keys = [];
  for (const [first, one] of [raw.resolution, raw.timezone].entries()) {
    for (let a = 0; a < 4; a++) {
      for (let b = a + 1; b < 4; b++) keys.push(digest(`${first}${a}${b}|${fixed}|${one}|${four[a]}|${four[b]}`));
    }
  }
  return Float64Array.from(keys);
}

/**
 * FP-Stalker's rule-based linking, from the description in section IV-A of its paper (Vastel et al., IEEE S&P 2018):
 *
 * 1. system, platform and browser family are the same; 2. the version does not go back; 3. local storage, Do Not Track,
 * cookies and canvas are the same; 4. (fonts, if Flash lists them, which no current browser supports); 5. at most two of
 * user agent, vendor, renderer, plugins, language, accept and headers differ, each with a similarity of at least 0.75;
 * 6. at most one of resolution, time zone and encoding differs.
 *
 * A fingerprint that exactly one known device has belongs to that device. Otherwise, if all fingerprints that pass the
 * rules belong to one device, it belongs to that device. In all other cases it is a new device. As in the authors'
 * replay, a device is known by its last two fingerprints, for 30 days.
 *
 * `canvasMayUpdate` lets the canvas change with the version. The paper does not, but current browsers redraw it more
 * often.
 *
 * @param {{ canvasMayUpdate?: boolean }} [options]
 * @returns {(fingerprint: { raw: object }, day: number) => number}
 */
export function ruleBased({ canvasMayUpdate = false } = {}) {
  const owners = new Map();
  const remembered = new Map();
  const buckets = new Map();
  const similar = new Map();
  let day = 0;
  let identities = 0;

  const isSimilar = (a, b) => {
    const key = a < b ? `${a}\n${b}` : `${b}\n${a}`;
    let answer = similar.get(key);
    if (answer === undefined) {
      answer = similarity(a, b) >= minSimilarity;
      similar.set(key, answer);
    }
    return answer;
  };

  const passes = (known, unknown) => {
    if (known.version > unknown.version) return false;
    if (known.canvas !== unknown.canvas && !(canvasMayUpdate && known.version < unknown.version)) return false;
    if ((known.resolution !== unknown.resolution) + (known.timezone !== unknown.timezone) > 1) return false;
    const renderer = known.renderer !== unknown.renderer;
    const changes =
      (known.userAgent !== unknown.userAgent) +
      (renderer || known.driver !== unknown.driver) +
      (known.plugins !== unknown.plugins) +
      (known.language !== unknown.language);
    if (changes > 2) return false;
    if (renderer && !isSimilar(known.renderer, unknown.renderer)) return false;
    return known.plugins === unknown.plugins || isSimilar(known.plugins, unknown.plugins);
  };

  /** Returns the live identity that had a fingerprint: undefined if there is none, null if there are several. */
  const ownerOf = (raw, soFar) => {
    let answer = soFar;
    for (const identity of owners.get(raw.id) ?? []) {
      if (day - remembered.get(identity).day > rememberedDays) continue;
      if (answer !== undefined && answer !== identity) return null;
      answer = identity;
    }
    return answer;
  };

  /**
   * Returns the live fingerprints that share a key with this one and have no newer version. If the canvas differs, only
   * older versions.
   */
  const near = function* (raw) {
    for (const key of keysOf(raw, 'keys', raw.canvas)) {
      for (const [version, known] of buckets.get(key) ?? []) if (version <= raw.version) yield* known;
    }
    if (!canvasMayUpdate) return;
    for (const key of keysOf(raw, 'keysOfAnyCanvas', '')) {
      for (const [version, known] of buckets.get(key) ?? []) if (version < raw.version) yield* known;
    }
  };

  const allKeysOf = (raw) =>
    canvasMayUpdate
      ? [...keysOf(raw, 'keys', raw.canvas), ...keysOf(raw, 'keysOfAnyCanvas', '')]
      : keysOf(raw, 'keys', raw.canvas);

  const enter = (raw) => {
    for (const key of allKeysOf(raw)) {
      if (!buckets.has(key)) buckets.set(key, new Map());
      const versions = buckets.get(key);
      if (!versions.has(raw.version)) versions.set(raw.version, new Set());
      versions.get(raw.version).add(raw);
    }
  };

  const leave = (raw) => {
    for (const key of allKeysOf(raw)) {
      const versions = buckets.get(key);
      const known = versions.get(raw.version);
      known.delete(raw);
      if (known.size === 0) versions.delete(raw.version);
      if (versions.size === 0) buckets.delete(key);
    }
  };

  const find = (raw) => {
    const exact = ownerOf(raw, undefined);
    if (exact !== undefined) return exact;
    let answer;
    for (const known of near(raw)) {
      if (!passes(known, raw)) continue;
      answer = ownerOf(known, answer);
      if (answer === null) return null;
    }
    return answer;
  };

  const forget = (raw, identity) => {
    const all = owners.get(raw.id);
    all.delete(identity);
    if (all.size > 0) return;
    owners.delete(raw.id);
    leave(raw);
  };

  const remember = (raw, identity) => {
    const entry = remembered.get(identity) ?? { last: [], day };
    remembered.set(identity, entry);
    entry.day = day;
    if (entry.last.at(-1) === raw) return;
    if (!entry.last.includes(raw)) {
      if (!owners.has(raw.id)) {
        owners.set(raw.id, new Set());
        enter(raw);
      }
      owners.get(raw.id).add(identity);
    }
    entry.last.push(raw);
    if (entry.last.length <= rememberedFingerprints) return;
    const oldest = entry.last.shift();
    if (!entry.last.includes(oldest)) forget(oldest, identity);
  };

  const expire = () => {
    for (const [identity, { last, day: seen }] of remembered) {
      if (day - seen <= rememberedDays) continue;
      for (const raw of new Set(last)) forget(raw, identity);
      remembered.delete(identity);
    }
  };

  return ({ raw }, today) => {
    if (today !== day) {
      day = today;
      if (day % 5 === 0) expire();
    }
    const identity = find(raw) ?? identities++;
    remember(raw, identity);
    return identity;
  };
}
