import { dayMs, defaultSettings } from '../../service/dist/testing.js';
import { createHistory, infoOf } from './history.mjs';

const project = { createdAt: new Date(0) };
const nothing = { overall: 0, mobile: 0, tablet: 0, desktop: 0 };
const kinds = { phone: 'mobile', tablet: 'tablet', computer: 'desktop' };
const { address_trust_days: trustDays, auto_detach_days: detachDays } = defaultSettings;

/**
 * Keeps the trust that the service stores, and returns the facts that its `judge` gets: the device with its known
 * variants and keys, and the address for `address_trust_days`.
 */
export function createJudging() {
  const users = new Map();
  const history = createHistory();
  const stateOf = (user) => ({
    ...(users.get(user) ?? { devices: new Map(), addresses: new Map() }),
    accesses: history.accessesOf(user),
  });
  return {
    factsOf: (attempt) => factsOf(stateOf(attempt.user), attempt),
    /** Stores a login that was allowed or whose challenge was completed. `confirmed`: it is trusted from now on. */
    learn(login, { confirmed }) {
      const state = stateOf(login.user);
      users.set(login.user, state);
      const facts = factsOf(state, login);
      history.learn(login);
      record(state, login, { facts, confirmed });
    },
  };
}

function factsOf({ devices, addresses, accesses }, login) {
  const { at, user, outcome, place, shown, proof, signup = false } = login;
  const device = devices.get(shown.recognisable);
  const isDetached = device && at - device.seenAt > detachDays * dayMs;
  const others = [...devices.values()].filter((other) => other !== device && at - other.seenAt <= detachDays * dayMs);
  const attached = { ...nothing, overall: others.length };
  for (const { kind } of others) attached[kind]++;
  return {
    now: new Date(at),
    action: signup ? 'signup' : 'login',
    outcome,
    settings: defaultSettings,
    project,
    isTest: false,
    isTrustedCaller: true,
    request: {
      fingerprint: shown.fingerprint,
      parsed: undefined,
      isReadable: true,
      userAgent: undefined,
      emailDomain: undefined,
      proof: proof && 'valid',
    },
    match: {
      fingerprintId: shown.recognisable,
      matchedBy: device ? 'similar' : 'new',
      confidence: 1,
      changed: [],
      crowd: undefined,
    },
    user: { externalId: String(user), exists: accesses.length > 0, status: 'active', hasDevices: devices.size > 0 },
    device: device && {
      id: shown.recognisable,
      status: isDetached ? 'detached' : 'attached',
      kind: device.kind,
      trusted: device.trusted,
      whitelisted: false,
      autoDetached: Boolean(isDetached),
      knowsVariant: device.variants.has(shown.fingerprint),
      hasKeys: device.keys.size > 0,
      proof: proof === undefined ? 'none' : device.keys.has(proof) ? 'valid' : 'foreign',
    },
    history: accesses,
    // The score has a scorer of its own.
    risk: undefined,
    address: {
      ip: place.address,
      network: place.address,
      info: infoOf(place),
      trusted: (addresses.get(place.address) ?? 0) > at,
    },
    attached: device && !isDetached ? nothing : attached,
    active: [],
    others: [],
    usersAtAddress: 0,
    referrer: undefined,
    velocity: {},
    campaign: undefined,
    lists: [],
  };
}

/** Keeps what `recordSighting` and a completed challenge store. */
function record({ devices, addresses }, { at, place, shown, proof }, { facts, confirmed }) {
  const known = devices.get(shown.recognisable);
  const device = known ?? { kind: kinds[shown.kind], trusted: false, variants: new Set(), keys: new Set() };
  devices.set(shown.recognisable, device);
  device.seenAt = at;
  const proves = facts.device?.proof === 'valid';
  if (confirmed) {
    device.trusted = true;
    addresses.set(place.address, at + trustDays * dayMs);
  }
  if (confirmed || proves || !known) device.variants.add(shown.fingerprint);
  const isAtTrusted = device.keys.size === 0 && facts.address.trusted;
  if (proof !== undefined && (confirmed || !known || isAtTrusted)) device.keys.add(proof);
}
