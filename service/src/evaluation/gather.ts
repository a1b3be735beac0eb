import type { DeviceKind } from 'whorl/wire';
import { dayMs, minuteMs } from '../ground/time.js';
import type { Lookup } from '../recognition/linking/recognise.js';
import type { Baseline } from '../recognition/velocity/rules/baseline.js';
import type { Velocity } from '../recognition/velocity/rules/counts.js';
import { type Subjects, subjectsOf } from '../recognition/velocity/subjects.js';
import type { FingerprintText } from '../resources/devices/rules/fingerprint-text.js';
import type { Caller, Database, Scope, Service } from '../resources/service.js';
import { parseEmail } from '../resources/users/rules/contacts.js';
import { type NormalisedRequest, ownNetwork } from './normalised-request.js';
import { findPassedChallenge } from './passed-challenge.js';
import { loadPast } from './past.js';
import { type DeviceState, loadState, type State, type StateQuestion } from './queries/evaluation-state.js';
import {
  countUsersAtAddress,
  type IdentityTies,
  loadIdentityTies,
  loadKeyHolders,
  loadOwnDevices,
  loadReferrer,
  type OtherUser,
  type OwnDevices,
} from './queries/evaluation-ties.js';
import { riskContextOf } from './risk-context.js';
import type { Facts, ReferrerFacts } from './rules/facts.js';
import { isRaised } from './rules/policy.js';
import { baselineFor, campaignOf } from './velocity.js';

/** Minimum number of devices in a world for crowd figures to be significant. */
const minDevices = 1000;

export interface Gathered {
  readonly facts: Facts;
  readonly state: State;
  /** What the evaluation is counted by. */
  readonly subjects: Subjects;
  /** The project's baseline of strange failures, if the attempt is strange. */
  readonly baseline: Baseline | undefined;
}

interface Gathering {
  readonly normalised: NormalisedRequest;
  readonly recognition: Lookup;
  readonly question: StateQuestion;
}

/** Returns the query parameters for a verdict, apart from the identity. */
export function stateQuestion(
  service: Service,
  { worldId, settings }: Caller,
  normalised: NormalisedRequest,
  { hardwareKey }: Pick<FingerprintText, 'hardwareKey'>,
): StateQuestion {
  const now = service.now();
  return {
    worldId,
    externalId: normalised.externalId,
    hardwareKey,
    network: ownNetwork(normalised),
    emailMarks: normalised.email?.marks,
    phoneMarks: normalised.phone?.marks,
    keyThumbprint: normalised.proof.thumbprint,
    now,
    dayAgo: new Date(now.getTime() - dayMs),
    activeSince: new Date(now.getTime() - settings.concurrency.minutes * minuteMs),
    limits: { usersAtAddress: settings.velocity.users_per_address, activeDevices: settings.concurrency.devices },
  };
}

/** Reads the facts for a verdict. `known` is their state, if it was already read and is still valid. */
export async function gatherFacts(scope: Scope<Database>, gathering: Gathering, known?: State): Promise<Gathered> {
  const { db, caller } = scope;
  const { normalised, recognition, question } = gathering;
  const state = known ?? (await loadState(db, question, recognition));
  const referrer = await referrerOf(db, gathering, state);
  const own = await ownDevicesOf(db, question, state);
  const ties = await tiesOf(db, scope, gathering, { state, referrer });
  const wasBlocked = ties?.was_blocked ?? false;
  const device = deviceOf(state, normalised);
  const subjects = subjectsOf(scope, caller.worldId, normalised, recognition.identityId);
  const past = await loadPast(scope, {
    subjects,
    userId: state.user_id,
    userSince: state.user_since,
    network: question.network ?? null,
    identityId: recognition.identityId,
  });
  const { history, velocity } = past;
  const gathered: Facts = {
    now: question.now,
    action: normalised.request.action,
    outcome: normalised.outcome,
    settings: caller.settings,
    project: { createdAt: caller.project.createdAt },
    isTest: caller.mode === 'test',
    isTrustedCaller: caller.kind === 'secret',
    request: {
      fingerprint: recognition.fingerprint.text,
      parsed: recognition.fingerprint.parsed,
      isReadable: recognition.fingerprint.isReadable,
      userAgent: normalised.request.user_agent,
      agent: normalised.request.agent,
      email: normalised.email?.normalised ?? storedEmail(scope, caller, normalised, state),
      proof: normalised.proof.outcome,
    },
    match: {
      fingerprintId: recognition.identityId,
      matchedBy: recognition.matchedBy,
      confidence: recognition.confidence,
      changed: recognition.changed,
      crowd: ties && crowdOf(ties, recognition),
    },
    user: {
      externalId: normalised.externalId,
      exists: state.user_id !== null,
      // If the user was erased while this device was blocked, there is no device left to be blocked.
      status: wasBlocked && state.device_id === null ? 'suspended' : (state.user_status ?? 'active'),
      hasDevices: state.device_status === 'attached' || (own?.has_devices ?? false),
    },
    device: device && (wasBlocked ? { ...device, status: 'blocked' } : device),
    history,
    risk: riskContextOf(scope, caller, { action: normalised.request.action, recognition, past }),
    address: addressOf(normalised, state),
    attached: attachedOf(own),
    active: own?.active ?? [],
    others: othersOf(ties, await loadKeyHolders(db, question)),
    usersAtAddress: isBusyAddress(velocity, question) ? await countUsersAtAddress(db, question, state.user_id) : 0,
    referrer,
    velocity,
    campaign: undefined,
    challengePassed: await findPassedChallenge(scope, gathering, state),
  };
  const baseline = await baselineFor(scope, gathered);
  const facts = { ...gathered, campaign: campaignOf(baseline, question.now) };
  return { facts, state, subjects, baseline };
}

/** Largest estimate of users that is relied upon to be below a limit. */
const mostEstimated = 1000;

/**
 * Returns whether there may be so many users at the address that they must be counted exactly. Users who were seen there
 * are included in the counts, except those of claims that were not consumed.
 */
function isBusyAddress({ address }: Velocity, { limits }: StateQuestion): boolean {
  return address !== undefined && address.day.users >= Math.min(limits.usersAtAddress / 2, mostEstimated);
}

/** Reads the user's own devices only if needed: an attached device cannot exceed a limit. */
async function ownDevicesOf(
  db: Database,
  { worldId, activeSince }: StateQuestion,
  { user_id: userId, device_id: deviceId, device_status, is_active_elsewhere }: State,
): Promise<OwnDevices | undefined> {
  if (userId === null || (device_status === 'attached' && !is_active_elsewhere)) return undefined;
  return loadOwnDevices(db, { worldId, userId, deviceId, activeSince });
}

/** Reads other users of the identity only if there may be any: most identities only ever have one user. */
async function tiesOf(
  db: Database,
  { vault }: Service,
  { normalised, recognition, question }: Gathering,
  { state, referrer }: { readonly state: State; readonly referrer: ReferrerFacts | undefined },
): Promise<IdentityTies | undefined> {
  const { identityId, matchedBy } = recognition;
  const mayBeTied = matchedBy !== 'new' && (referrer !== undefined || normalised.request.action === 'signup');
  if (!state.has_other_users && !state.has_marks && !mayBeTied) return undefined;
  const erasedMarks = vault.blindIndexes(normalised.externalId, `erased.${question.worldId}`);
  return loadIdentityTies(db, question, { identityId, userId: state.user_id, erasedMarks });
}

/** Decrypts the stored email address only if the verdict depends on it. */
function storedEmail({ vault }: Service, { settings }: Caller, { request }: NormalisedRequest, { email }: State) {
  if (!email || !isRaised('disposable_email', { action: request.action, settings })) return undefined;
  return parseEmail(vault.open(email, 'user.email'))?.normalised;
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

function addressOf({ address }: NormalisedRequest, { address_trusted: trusted }: State): Facts['address'] {
  return address && { ...address, trusted };
}

function attachedOf(own: OwnDevices | undefined): Facts['attached'] {
  const kinds = own?.attached ?? [];
  const count = (kind: DeviceKind) => kinds.filter((one) => one === kind).length;
  return { overall: kinds.length, mobile: count('mobile'), tablet: count('tablet'), desktop: count('desktop') };
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

async function referrerOf(
  db: Database,
  { normalised: { request }, recognition, question }: Gathering,
  { user_id }: State,
): Promise<ReferrerFacts | undefined> {
  const named = request.metadata?.referrer;
  if (typeof named !== 'string' || !['referral', 'signup'].includes(request.action)) return undefined;
  const ties = await loadReferrer(db, named, { question, identityId: recognition.identityId });
  if (!ties || ties.user_id === user_id) return undefined;
  return {
    userId: ties.user_id,
    sameDevice: ties.same_device,
    sameAddress: ties.same_address,
    sameContact: ties.same_contact,
    sameKey: ties.same_key,
  };
}
