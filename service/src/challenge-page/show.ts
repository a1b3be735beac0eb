import type { Challenge, Channel, Device } from 'whorl/wire';
import { describeAttempt, findChallengedBrowser } from '../challenges/attempt.js';
import { openChallenge } from '../challenges/lifecycle.js';
import { challengeDevices } from '../challenges/read.js';
import { attemptsRemaining, codeLimits, isCodeExpired, refusalOfSend } from '../challenges/rules/codes.js';
import type { Attempt } from '../ground/messages/rules/attempt.js';
import { minuteMs } from '../ground/time.js';
import { issueNonce } from '../recognition/proof/proof.js';
import { type ChallengeRow, findChallenge } from '../resources/challenges/queries.js';
import { methods } from '../resources/challenges/rules/methods/methods.js';
import { needsOwnFactor } from '../resources/challenges/rules/own-factor.js';
import { statusAt } from '../resources/challenges/rules/states.js';
import type { VisitRow } from '../resources/challenges/visits-queries.js';
import type { Service } from '../resources/service.js';
import { isBound } from './browser.js';
import {
  causeOf,
  isAboutDevices,
  type ListedDevice,
  maskAddress,
  type Notice,
  notices,
  type ShownNotice,
  type Step,
} from './rules.js';
import { findOpenChallenge, isVerified, type Visit } from './visit.js';

/** Returns the state of the page for a visitor. The first view by a verified visitor emits `challenge.viewed`. */
export async function showStep(service: Service, visit: Visit): Promise<Step> {
  const { row, caller } = visit;
  if (row.browser === 'other') return { name: 'another' };
  const challenged = await findChallengedBrowser(service, caller, row.challenge_id);
  if (row.browser === null) {
    const { scope } = caller.settings.challenge_page;
    if (challenged?.keyThumbprint === undefined) return { name: 'check', scope };
    const { nonce } = await issueNonce(service, caller);
    return { name: 'check', scope, nonce };
  }
  const attempt = challenged && describeAttempt(service, challenged);
  if (!isBound(visit)) return attempt ? await unboundStep(service, visit, attempt) : { name: 'expired' };
  const step = await boundStep(service, visit);
  return step.name === 'ask' && attempt ? { ...step, attempt } : step;
}

/** Asks the visitor whether the attempt is theirs, while the challenge is open. */
async function unboundStep(service: Service, { row, caller }: Visit, attempt: Attempt): Promise<Step> {
  const challenge = await findChallenge(service.db, caller.worldId, row.challenge_id);
  const status = challenge && statusAt(challenge, service.now());
  if (status === 'skipped') return { name: 'disowned' };
  return status === undefined || status === 'pending' ? { name: 'confirm', attempt } : { name: 'expired' };
}

async function boundStep(service: Service, visit: Visit): Promise<Step> {
  const { row, caller } = visit;
  if (!isVerified(visit)) return unverifiedStep(service, visit);
  const challenge = await openChallenge(service, caller, row.challenge_id);
  if (challenge.status === 'completed') return { name: 'done' };
  if (challenge.status === 'skipped') return { name: 'disowned' };
  if (challenge.status === 'expired') return { name: 'expired' };
  if (row.verified_at) return devicesStep(service, visit, challenge);
  const codes = await findChallenge(service.db, caller.worldId, row.challenge_id);
  if (codes && needsOwnFactor(caller.settings, codes)) return { name: 'own_factor' };
  if (!codes || challenge.channels.length === 0) return { name: 'unreachable' };
  return codeStep(service, challenge, codes);
}

/** Returns the notice of the last step, if it still applies. */
export function noticeOfVisit({ now }: Service, { notice, notice_until }: VisitRow): ShownNotice | undefined {
  const name = notices.find((each): each is Notice => each === notice);
  if (!name) return undefined;
  if (!notice_until) return { notice: name };
  const waitSeconds = secondsUntil(notice_until, now());
  // The wait is over.
  return waitSeconds > 0 ? { notice: name, waitSeconds } : undefined;
}

/**
 * Returns the state of the page for an unverified visitor. It does not depend on the user, or on whether the user
 * exists.
 */
async function unverifiedStep(service: Service, visit: Visit): Promise<Step> {
  const { now } = service;
  const { row } = visit;
  const challenge = await findOpenChallenge(service, visit);
  if (!challenge) return { name: 'expired' };
  if (challenge.needsOwnFactor) return { name: 'own_factor' };
  const { asks, asked_at, tries } = row;
  const next = asked_at && new Date(asked_at.getTime() + codeLimits.resendAfterSeconds * 1000);
  const sending = {
    offers: [{}],
    waitSeconds: next ? secondsUntil(next, now()) : 0,
    hasCodesLeft: asks < codeLimits.sendsPerChallenge,
  };
  if (!asked_at) return { name: 'ask', sending };
  return {
    name: 'enter',
    triesLeft: attemptsRemaining(tries),
    isCodeStale: now().getTime() >= asked_at.getTime() + codeLimits.lifetimeMinutes * minuteMs,
    sending,
  };
}

function codeStep({ now }: Service, challenge: Challenge, codes: ChallengeRow): Step {
  const { user, channels, reasons } = challenge;
  const cause = causeOf(reasons);
  const refusal = refusalOfSend(codes, now());
  const addressOf = (channel: Channel) => user[methods[channel].contact];
  const sending = {
    offers: channels.map((channel) => {
      const to = addressOf(channel);
      return { channel, ...(to !== undefined && { to }) };
    }),
    waitSeconds: refusal?.retryAfterSeconds ?? 0,
    hasCodesLeft: refusal === undefined || refusal.retryAfterSeconds !== undefined,
  };
  const { code_expires_at, code_tries, code_channel } = codes;
  if (!code_expires_at || !code_channel) return { name: 'ask', cause, sending };
  const sentTo = addressOf(code_channel);
  return {
    name: 'enter',
    cause,
    ...(sentTo !== undefined && { sentTo }),
    triesLeft: attemptsRemaining(code_tries),
    isCodeStale: isCodeExpired(code_expires_at, now()),
    sending,
  };
}

async function devicesStep(service: Service, { row, caller }: Visit, challenge: Challenge): Promise<Step> {
  const cause = causeOf(challenge.reasons);
  if (!isAboutDevices(cause)) return { name: 'devices', cause, devices: [], isFull: false };
  const { data } = await challengeDevices(service, caller, row.challenge_id);
  const devices = data.map((device) => toListedDevice(device, challenge));
  return { name: 'devices', cause, devices, isFull: needsRoom(challenge) };
}

/** Returns whether the challenge is about a device limit that is still exceeded. */
export function needsRoom({ reasons, limit }: Pick<Challenge, 'reasons' | 'limit'>): boolean {
  return reasons.includes('limit_exceeded') && limit.is_exceeded;
}

function toListedDevice({ _id, info, last_ip, last_seen_at }: Device, { device_id }: Challenge): ListedDevice {
  return {
    id: _id,
    info,
    ...(last_ip !== undefined && { address: maskAddress(last_ip) }),
    lastSeenAt: new Date(last_seen_at),
    isThis: _id === device_id,
  };
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / 1000));
}
