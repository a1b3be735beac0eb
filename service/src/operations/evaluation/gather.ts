import type { DeviceKind } from 'whorl/wire';
import { parseEmail } from '../../domain/contacts/index.js';
import type { Facts, ReferrerFacts } from '../../domain/evaluation/facts.js';
import { isRaised } from '../../domain/evaluation/policy.js';
import type { FingerprintText } from '../../domain/linking/fingerprint-text.js';
import type { Caller, Database, Service } from '../../service.js';
import { loadState, type OtherUser, type State, type StateQuestion } from '../../store/queries/evaluation-state.js';
import { loadKeyHolders, loadReferrer } from '../../store/queries/evaluation-ties.js';
import type { Recognition } from '../recognise.js';
import type { Asked } from './asked.js';

/** The world has to be so many devices large before a crowd says anything. */
const fewestDevices = 1000;
const dayMs = 86_400_000;

export interface Gathered {
  readonly facts: Facts;
  readonly state: State;
}

interface Gathering {
  readonly asked: Asked;
  readonly recognition: Recognition;
  readonly question: StateQuestion;
}

/** What is asked for a verdict, but for whose device it is. */
export function stateQuestion(
  service: Service,
  { worldId, settings }: Caller,
  asked: Asked,
  { hardwareKey }: FingerprintText,
): StateQuestion {
  const now = service.now();
  return {
    worldId,
    externalId: asked.externalId,
    hardwareKey,
    network: asked.address?.network,
    emailMark: asked.email?.mark,
    phoneMark: asked.phone?.mark,
    keyThumbprint: asked.proof.thumbprint,
    erasedMark: service.vault.mark(asked.externalId, `erased.${worldId}`),
    now,
    dayAgo: new Date(now.getTime() - dayMs),
    activeSince: new Date(now.getTime() - settings.concurrency.minutes * 60_000),
    countedUsers: settings.velocity.users_per_address + 1,
  };
}

/** Reads what a verdict is made from; `known` is its state, where that was read before and still holds. */
export async function gatherFacts(
  db: Database,
  service: Service,
  caller: Caller,
  { asked, recognition, question }: Gathering,
  known?: State,
): Promise<Gathered> {
  const { identityId, variantId } = recognition;
  const identified = { ...question, identityId, variantId };
  const state = known ?? (await loadState(db, identified));
  const facts: Facts = {
    now: question.now,
    action: asked.request.action,
    settings: caller.settings,
    project: { createdAt: caller.project.createdAt },
    isTest: caller.mode === 'test',
    isTrustedCaller: caller.kind === 'secret',
    request: {
      fingerprint: recognition.fingerprint.text,
      parsed: recognition.fingerprint.parsed,
      isReadable: recognition.fingerprint.isReadable,
      userAgent: asked.request.user_agent,
      email: asked.email?.normalised ?? storedEmail(service, caller, asked, state),
      proof: asked.proof.outcome,
    },
    match: {
      fingerprintId: recognition.identityId,
      matchedBy: recognition.matchedBy,
      confidence: recognition.confidence,
      changed: recognition.changed,
      crowd: crowdOf(state, recognition),
    },
    user: {
      externalId: asked.externalId,
      exists: state.user_id !== null,
      // Erased while this device was blocked: there is no device left to be blocked.
      status: state.was_blocked && state.device_id === null ? 'suspended' : (state.user_status ?? 'active'),
      hasDevices: state.has_devices ?? false,
    },
    device: deviceOf(state, asked),
    address: asked.address && { ...asked.address, trusted: state.address_trusted },
    attached: attachedOf(state),
    active: state.active ?? [],
    others: othersOf(state, await loadKeyHolders(db, identified)),
    usersAtAddress: state.users_at_address,
    referrer: await referrerOf(db, asked, identified, state),
  };
  return { facts, state };
}

/** Opened only where it is judged by: most actions are not. */
function storedEmail({ vault }: Service, { settings }: Caller, { request }: Asked, { email }: State) {
  if (!email || !isRaised('disposable_email', { action: request.action, settings })) return undefined;
  return parseEmail(vault.open(email, 'user.email'))?.normalised;
}

function crowdOf({ crowd, devices_in_world }: State, { fingerprint }: Recognition): number | undefined {
  if (!fingerprint.hardwareKey || devices_in_world < fewestDevices) return undefined;
  return crowd / devices_in_world;
}

function deviceOf(state: State, { proof }: Asked): Facts['device'] {
  const { device_id, device_status, device_kind } = state;
  if (device_id === null || device_status === null || device_kind === null) return undefined;
  return {
    id: device_id,
    status: state.was_blocked ? 'blocked' : device_status,
    kind: device_kind,
    trusted: state.trusted ?? false,
    whitelisted: state.whitelisted ?? false,
    autoDetached: state.auto_detached ?? false,
    knowsVariant: state.knows_variant,
    hasKeys: state.proven ?? false,
    proof: proof.thumbprint === undefined ? 'none' : state.knows_key ? 'valid' : 'foreign',
  };
}

function attachedOf({ attached }: State): Facts['attached'] {
  const kinds = attached ?? [];
  const count = (kind: DeviceKind) => kinds.filter((one) => one === kind).length;
  return { overall: kinds.length, mobile: count('mobile'), tablet: count('tablet'), desktop: count('desktop') };
}

function othersOf({ others, erased_accounts }: State, keyHolders: readonly OtherUser[]): Facts['others'] {
  const erased = { userId: 'erased', sameAddress: false, sameContact: false, sameKey: false, today: false };
  const byKey = new Set(keyHolders.map(({ userId }) => userId));
  return [
    ...keyHolders.map((other) => ({ ...other, sameKey: true })),
    ...(others ?? []).filter(({ userId }) => !byKey.has(userId)).map((other) => ({ ...other, sameKey: false })),
    ...Array.from({ length: erased_accounts }, () => erased),
  ];
}

async function referrerOf(
  db: Database,
  { request }: Asked,
  question: StateQuestion,
  { user_id }: State,
): Promise<ReferrerFacts | undefined> {
  const named = request.metadata?.referrer;
  if (typeof named !== 'string' || !['referral', 'signup'].includes(request.action)) return undefined;
  const ties = await loadReferrer(db, named, question);
  if (!ties || ties.user_id === user_id) return undefined;
  return {
    userId: ties.user_id,
    sameDevice: ties.same_device,
    sameAddress: ties.same_address,
    sameContact: ties.same_contact,
    sameKey: ties.same_key,
  };
}
