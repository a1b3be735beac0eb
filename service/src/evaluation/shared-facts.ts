import { dayMs, minuteMs } from '../ground/time.js';
import type { Lookup } from '../recognition/linking/recognise.js';
import type { FingerprintText } from '../resources/devices/rules/fingerprint-text.js';
import { hardwareIdOf } from '../resources/devices/rules/hardware-id.js';
import { type LookedUp, listKeysOf } from '../resources/lists/rules/hits.js';
import type { Caller, Service } from '../resources/service.js';
import { mailDomainsOf } from '../resources/users/rules/mailbox.js';
import { type NormalisedRequest, ownNetwork } from './normalised-request.js';
import type { DeviceState, StateLookup } from './queries/evaluation-state.js';
import type { IdentityTies, OtherUser } from './queries/evaluation-ties.js';
import type { Facts } from './rules/facts.js';

// Facts that evaluations and claims build in the same way.

/** Minimum number of devices in a world for crowd figures to be significant. */
const minDevices = 1000;

/** Returns the query parameters for a verdict, apart from the identity. */
export function stateLookup(
  service: Service,
  { worldId, project, settings }: Caller,
  normalised: NormalisedRequest,
  fingerprint: Pick<FingerprintText, 'isReadable' | 'hardwareKey'>,
): StateLookup {
  const now = service.now();
  return {
    worldId,
    projectId: project.id,
    externalId: normalised.externalId,
    hardwareKey: fingerprint.hardwareKey,
    network: ownNetwork(normalised),
    ip: normalised.address?.ip,
    listKeys: listKeysOf({
      ...requestedKeys(normalised),
      user: normalised.externalId,
      hardwareId: hardwareIdOf(worldId, fingerprint),
    }),
    emailMarks: normalised.email?.marks,
    phoneMarks: normalised.phone?.marks,
    keyThumbprint: normalised.proof.thumbprint,
    now,
    dayAgo: new Date(now.getTime() - dayMs),
    activeSince: new Date(now.getTime() - settings.concurrency.minutes * minuteMs),
    limits: { usersAtAddress: settings.velocity.users_per_address, activeDevices: settings.concurrency.devices },
  };
}

/** Returns what a request alone is looked up by in lists, which reveals nothing about the user that it names. */
export function requestedKeys({ address, email }: Pick<NormalisedRequest, 'address' | 'email'>): LookedUp {
  return {
    asn: address?.info?.asn,
    country: address?.info?.country,
    emailDomains: email && mailDomainsOf(email.domain),
  };
}

/** Facts that need no stored data. */
type RequestedFacts = Pick<Facts, 'action' | 'outcome' | 'settings' | 'project' | 'isTest' | 'request' | 'match'>;

/** Returns the facts about the caller, the request and its recognition. */
export function requestedFacts(
  { settings, project, mode }: Caller,
  { request, outcome, email, proof }: NormalisedRequest,
  { fingerprint, identityId, matchedBy, confidence, changed }: Lookup,
): RequestedFacts {
  return {
    action: request.action,
    outcome,
    settings,
    project: { createdAt: project.createdAt },
    isTest: mode === 'test',
    request: {
      fingerprint: fingerprint.text,
      parsed: fingerprint.parsed,
      isReadable: fingerprint.isReadable,
      userAgent: request.user_agent,
      agent: request.agent,
      emailDomain: email?.domain,
      metadata: request.metadata ?? {},
      proof: proof.outcome,
    },
    match: { fingerprintId: identityId, matchedBy, confidence, changed, crowd: undefined },
  };
}

/**
 * Returns the share of the project's users expected to have this fingerprint by chance; undefined in a small project.
 */
export function crowdOf(
  { crowd, devices_in_world }: IdentityTies,
  { fingerprint }: Pick<Lookup, 'fingerprint'>,
): number | undefined {
  if (!fingerprint.hardwareKey || devices_in_world < minDevices) return undefined;
  return crowd / devices_in_world;
}

/** Returns the facts about the user's device; undefined if there is none. */
export function deviceOf(state: DeviceState, { proof }: NormalisedRequest): Facts['device'] {
  const { device_id, device_status, device_kind } = state;
  if (device_id === null || device_status === null || device_kind === null) return undefined;
  return {
    id: device_id,
    status: device_status,
    kind: device_kind,
    trusted: state.trusted ?? false,
    whitelisted: state.whitelisted ?? false,
    autoDetached: state.auto_detached ?? false,
    knowsVariant: state.knows_variant,
    hasKeys: state.proven ?? false,
    proof: proof.thumbprint === undefined ? 'none' : state.knows_key ? 'valid' : 'foreign',
  };
}

/** Returns the other users of an identity, and those who hold the proven key. */
export function othersOf(ties: IdentityTies | undefined, keyHolders: readonly OtherUser[]): Facts['others'] {
  const erased = { userId: 'erased', sameAddress: false, sameContact: false, sameKey: false, today: false };
  const byKey = new Set(keyHolders.map(({ userId }) => userId));
  return [
    ...keyHolders.map((other) => ({ ...other, sameKey: true })),
    ...(ties?.others ?? []).filter(({ userId }) => !byKey.has(userId)).map((other) => ({ ...other, sameKey: false })),
    ...Array.from({ length: ties?.erased_accounts ?? 0 }, () => erased),
  ];
}
