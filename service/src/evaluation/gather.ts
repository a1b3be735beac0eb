import type { DeviceKind } from 'whorl/wire';
import type { Lookup } from '../recognition/linking/recognise.js';
import type { Baseline } from '../recognition/velocity/rules/baseline.js';
import type { CountedSubject, Velocity } from '../recognition/velocity/rules/counts.js';
import { type Subjects, subjectsOf } from '../recognition/velocity/subjects.js';
import { findListHits } from '../resources/lists/lookup-queries.js';
import { type ListHit, listKeysOf } from '../resources/lists/rules/hits.js';
import type { Database, Service, UnitOfWork } from '../resources/service.js';
import { compromisedSince } from '../resources/users/rules/compromised.js';
import { type Email, parseEmail } from '../resources/users/rules/contacts.js';
import { mailDomainsOf } from '../resources/users/rules/mailbox.js';
import { baselineFor, campaignOf } from './campaign-baseline.js';
import { loadCounters } from './counters.js';
import type { NormalisedRequest } from './normalised-request.js';
import { findPassedChallenge } from './passed-challenge.js';
import { loadPast, type Past } from './past.js';
import { loadState, type State, type StateLookup } from './queries/evaluation-state.js';
import {
  countUsersAtAddress,
  type IdentityTies,
  loadIdentityTies,
  loadKeyHolders,
  loadOwnDevices,
  loadReferrer,
  type OwnDevices,
} from './queries/evaluation-ties.js';
import { hasResetPassword } from './queries/password-resets.js';
import { riskContextOf } from './risk-context.js';
import type { Facts, ReferrerFacts } from './rules/facts.js';
import { crowdOf, deviceOf, othersOf, requestedFacts } from './shared-facts.js';

export interface Gathered {
  readonly facts: Facts;
  readonly state: State;
  /** What the evaluation is counted by. */
  readonly subjects: Subjects;
  /** Counters that rules name, by which it is counted too. */
  readonly counters: readonly CountedSubject[];
  /** The project's baseline of unfamiliar failures, if the attempt is unfamiliar. */
  readonly baseline: Baseline | undefined;
}

interface Gathering {
  readonly normalised: NormalisedRequest;
  readonly recognition: Lookup;
  readonly lookup: StateLookup;
}

/** Reads the facts for a verdict. `known` is their state, if it was already read and is still valid. */
export async function gatherFacts(work: UnitOfWork<Database>, gathering: Gathering, known?: State): Promise<Gathered> {
  const { db, caller } = work;
  const { normalised, recognition, lookup } = gathering;
  const state = known ?? (await loadState(db, lookup, recognition));
  const referrer = await referrerOf(db, gathering, state);
  const own = await ownDevicesOf(db, lookup, state);
  const ties = await tiesOf(db, work, gathering, { state, referrer });
  const subjects = subjectsOf(work, caller.worldId, normalised, recognition.identityId);
  const past = await pastOf(work, gathering, { state, subjects });
  const counted = await loadCounters(work, normalised);
  const keyHolders = await loadKeyHolders(db, lookup);
  const isBusy = isBusyAddress(past.velocity, lookup);
  const usersAtAddress = isBusy ? await countUsersAtAddress(db, lookup, state.user_id) : 0;
  const challengePassed = await findPassedChallenge(work, gathering, state);
  const disownedAt = await compromisedOf(work, state);
  const stored = normalised.email ? undefined : storedEmail(work, state);
  const lists = await listHitsOf(db, lookup, state, stored);
  const parties = partiesOf(gathering, state, { own, ties, disownedAt });
  const baseline = await baselineFor(work, parties);
  const { action, outcome, settings, project, isTest, request, match } = requestedFacts(
    caller,
    normalised,
    recognition,
  );
  const facts: Facts = {
    now: lookup.now,
    action,
    outcome,
    settings,
    project,
    isTest,
    isTrustedCaller: caller.kind === 'secret',
    request: { ...request, emailDomain: request.emailDomain ?? stored?.domain },
    match: { ...match, crowd: ties && crowdOf(ties, recognition) },
    user: parties.user,
    device: parties.device,
    address: parties.address,
    lists,
    history: past.history,
    velocity: past.velocity,
    counters: counted.values,
    risk: riskContextOf(work, caller, { action: normalised.request.action, recognition, past }),
    attached: attachedOf(own),
    active: own?.active ?? [],
    others: othersOf(ties, keyHolders),
    usersAtAddress,
    referrer,
    campaign: campaignOf(baseline, lookup.now),
    challengePassed,
  };
  return { facts, state, subjects, counters: counted.subjects, baseline };
}

/** Reads what an evaluation is compared with. */
function pastOf(
  work: UnitOfWork<Database>,
  { recognition, lookup }: Gathering,
  { state, subjects }: { readonly state: State; readonly subjects: Subjects },
): Promise<Past> {
  return loadPast(work, {
    subjects,
    userId: state.user_id,
    userSince: state.user_since,
    network: lookup.network ?? null,
    identityId: recognition.identityId,
  });
}

/** Returns the facts about the user, its device and its address. */
function partiesOf(
  { normalised }: Gathering,
  state: State,
  {
    own,
    ties,
    disownedAt,
  }: Pick<Facts['user'], 'disownedAt'> & {
    readonly own: OwnDevices | undefined;
    readonly ties: IdentityTies | undefined;
  },
): Pick<Facts, 'user' | 'device' | 'address'> {
  const wasBlocked = ties?.was_blocked ?? false;
  const device = deviceOf(state, normalised);
  return {
    user: {
      externalId: normalised.externalId,
      exists: state.user_id !== null,
      // If the user was erased while this device was blocked, there is no device left to be blocked.
      status: wasBlocked && state.device_id === null ? 'suspended' : (state.user_status ?? 'active'),
      hasDevices: state.device_status === 'attached' || (own?.has_devices ?? false),
      disownedAt,
    },
    device: device && (wasBlocked ? { ...device, status: 'blocked' } : device),
    address: normalised.address && { ...normalised.address, trusted: state.address_trusted },
  };
}

/** Returns when the user did not recognise a device, unless that was long ago or the password has been reset since. */
async function compromisedOf(
  { db, now, caller: { worldId } }: UnitOfWork<Database>,
  { user_id, disowned_at }: State,
): Promise<Date | undefined> {
  const since = compromisedSince(disowned_at, now());
  if (!since || user_id === null) return undefined;
  return (await hasResetPassword(db, { worldId, userId: user_id, since })) ? undefined : since;
}

/** Largest estimate of users that is trusted to be below a limit. */
const mostEstimated = 1000;

/**
 * Returns whether there may be so many users at the address that they must be counted exactly. The counts
 * include the users who were seen there, except users of claims that were not consumed.
 */
function isBusyAddress({ address }: Velocity, { limits }: StateLookup): boolean {
  return address !== undefined && address.day.users >= Math.min(limits.usersAtAddress / 2, mostEstimated);
}

/** Reads the user's own devices only if needed: an attached device cannot exceed a limit. */
async function ownDevicesOf(
  db: Database,
  { worldId, activeSince }: StateLookup,
  { user_id: userId, device_id: deviceId, device_status, is_active_elsewhere }: State,
): Promise<OwnDevices | undefined> {
  if (userId === null || (device_status === 'attached' && !is_active_elsewhere)) return undefined;
  return loadOwnDevices(db, { worldId, userId, deviceId, activeSince });
}

/** Reads other users of the identity only if there may be any: most identities only ever have one user. */
async function tiesOf(
  db: Database,
  { vault }: Service,
  { normalised, recognition, lookup }: Gathering,
  { state, referrer }: { readonly state: State; readonly referrer: ReferrerFacts | undefined },
): Promise<IdentityTies | undefined> {
  const { identityId, matchedBy } = recognition;
  const mayBeTied = matchedBy !== 'new' && (referrer !== undefined || normalised.request.action === 'signup');
  if (!state.has_other_users && !state.has_marks && !mayBeTied) return undefined;
  const erasedMarks = vault.blindIndexes(normalised.externalId, `erased.${lookup.worldId}`);
  return loadIdentityTies(db, lookup, { identityId, userId: state.user_id, erasedMarks });
}

/** Reads the stored email address, of which rules and replays know the domain. */
function storedEmail({ vault }: Service, { email }: State): Email | undefined {
  return email ? parseEmail(vault.open(email, 'user.email')) : undefined;
}

/** Returns the entries of lists that apply. `stored`: the user's email address if the request has none. */
async function listHitsOf(
  db: Database,
  lookup: StateLookup,
  { list_hits, lists_domains }: State,
  stored: Email | undefined,
): Promise<readonly ListHit[]> {
  const hits = list_hits ?? [];
  if (!stored || !lists_domains) return hits;
  return [...hits, ...(await findListHits(db, lookup, listKeysOf({ emailDomains: mailDomainsOf(stored.domain) })))];
}

function attachedOf(own: OwnDevices | undefined): Facts['attached'] {
  const kinds = own?.attached ?? [];
  const count = (kind: DeviceKind) => kinds.filter((one) => one === kind).length;
  return { overall: kinds.length, mobile: count('mobile'), tablet: count('tablet'), desktop: count('desktop') };
}

async function referrerOf(
  db: Database,
  { normalised: { request }, recognition, lookup }: Gathering,
  { user_id }: State,
): Promise<ReferrerFacts | undefined> {
  const named = request.metadata?.referrer;
  if (typeof named !== 'string' || !['referral', 'signup'].includes(request.action)) return undefined;
  const ties = await loadReferrer(db, named, { lookup, identityId: recognition.identityId });
  if (!ties || ties.user_id === user_id) return undefined;
  return {
    userId: ties.user_id,
    sameDevice: ties.same_device,
    sameAddress: ties.same_address,
    sameContact: ties.same_contact,
    sameKey: ties.same_key,
  };
}
