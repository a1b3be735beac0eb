import type { Lookup } from '../../recognition/linking/recognise.js';
import { listKeysOf } from '../../resources/lists/rules/hits.js';
import type { Database, UnitOfWork } from '../../resources/service.js';
import { type NormalisedRequest, ownNetwork } from '../normalised-request.js';
import { loadIdentityTies, loadKeyHolders } from '../queries/evaluation-ties.js';
import type { Facts } from '../rules/facts.js';
import { crowdOf, deviceOf, othersOf, requestedFacts, requestedKeys, stateLookup } from '../shared-facts.js';
import { type ClaimState, loadClaimState } from './state-queries.js';

export interface ClaimFacts {
  readonly facts: Facts;
  readonly state: ClaimState;
}

interface Claiming {
  readonly normalised: NormalisedRequest;
  readonly lookup: Lookup;
}

/**
 * Gathers the facts for judging a claim: the request, the browser's integrity, and the history of this browser only.
 * The named user matters only if this browser is already one of its devices. The result therefore reveals nothing about
 * the user to a stranger: no contacts, status, lists or other devices, nor whether the user exists.
 */
export async function gatherClaimFacts(work: UnitOfWork<Database>, claiming: Claiming): Promise<ClaimFacts> {
  const { db, caller } = work;
  const { normalised, lookup } = claiming;
  const { request } = normalised;
  // Entries for users, devices and hardware take no part: the verdict would reveal them.
  const { kinds: listKinds, values: listValues } = listKeysOf(requestedKeys(normalised));
  const state = await loadClaimState(db, {
    worldId: caller.worldId,
    user: request.user,
    identityId: lookup.identityId,
    variantId: lookup.variantId ?? null,
    network: ownNetwork(normalised) ?? null,
    keyThumbprint: normalised.proof.thumbprint ?? null,
    projectId: caller.project.id,
    listKinds,
    listValues,
    ip: normalised.address?.ip ?? null,
    now: work.now(),
  });
  // A blocked device is treated as unknown, so that the block is not revealed.
  const device = state.device_status === 'blocked' ? undefined : deviceOf(state, normalised);
  const { crowd, others } = await othersAt(work, claiming, { state, userId: device ? state.user_id : null });
  const requested = requestedFacts(caller, normalised, lookup);
  const facts: Facts = {
    ...requested,
    now: work.now(),
    lists: state.list_hits ?? [],
    isTrustedCaller: false,
    request: { ...requested.request, agent: undefined },
    match: { ...requested.match, crowd },
    user: {
      externalId: normalised.externalId,
      exists: device !== undefined,
      status: 'active',
      hasDevices: device !== undefined && device.status !== 'pending',
      disownedAt: undefined,
    },
    device,
    address: normalised.address && { ...normalised.address, trusted: device !== undefined && state.address_trusted },
    history: [],
    risk: undefined,
    attached: { overall: 0, mobile: 0, tablet: 0, desktop: 0 },
    active: [],
    others,
    usersAtAddress: 0,
    referrer: undefined,
    counters: undefined,
    velocity: {},
    campaign: undefined,
    challengePassed: undefined,
  };
  return { facts, state };
}

/**
 * Reads the other users of this browser, except `userId`. Contacts are not compared, because a guessed contact must not
 * change the result.
 */
async function othersAt(
  work: UnitOfWork<Database>,
  { normalised, lookup }: Claiming,
  { state, userId }: { readonly state: ClaimState; readonly userId: string | null },
): Promise<Pick<Facts, 'others'> & Pick<Facts['match'], 'crowd'>> {
  const { db, caller } = work;
  const withoutContacts = { ...normalised, email: undefined, phone: undefined };
  const named = stateLookup(work, caller, withoutContacts, lookup.fingerprint);
  const keyHolders = await loadKeyHolders(db, named);
  if (!state.is_shared) return { crowd: undefined, others: othersOf(undefined, keyHolders) };
  const ties = await loadIdentityTies(db, named, {
    identityId: lookup.identityId,
    userId,
    erasedMarks: work.vault.blindIndexes(normalised.externalId, `erased.${caller.worldId}`),
  });
  return { crowd: crowdOf(ties, lookup), others: othersOf(ties, keyHolders) };
}
