import type { Channel, ErrorCode } from 'whorl/wire';
import { kickDevice } from '../challenges/kick.js';
import { completeChallenge, skipChallenge } from '../challenges/lifecycle.js';
import { retrieveChallenge } from '../challenges/read.js';
import { readCode } from '../challenges/rules/codes.js';
import { sendChallenge } from '../challenges/send.js';
import { verifyChallenge } from '../challenges/verify.js';
import { ApiError } from '../ground/errors.js';
import { changeVisit } from '../resources/challenges/visits-queries.js';
import type { Service } from '../resources/service.js';
import { causeOf, isAboutDevices, type Notice } from './rules.js';
import { needsRoom } from './show.js';
import { requestCodeUnverified, verifyCodeUnverified } from './unverified.js';
import { isVerified, type Visit } from './visit.js';

/** Sends a code, within the quotas of `sendChallenge`. */
export async function requestCode(service: Service, visit: Visit, channel: Channel | undefined): Promise<void> {
  if (!isVerified(visit)) return requestCodeUnverified(service, visit);
  const send = () => sendChallenge(service, visit.caller, visit.row.challenge_id, { channel, onPage: true });
  await withNotice(service, visit, send);
}

/** Checks a code. A correct one completes the challenge, unless the user has to review their devices first. */
export async function enterCode(service: Service, visit: Visit, text: string): Promise<void> {
  const { row, caller } = visit;
  if (readCode(text) === undefined) return saveNotice(service, visit, 'no_code');
  const isRight = isVerified(visit)
    ? await tryCode(service, visit, text)
    : await verifyCodeUnverified(service, visit, text);
  if (!isRight) return;
  await changeVisit(service.db, row, { verified_at: service.now(), notice: null, notice_until: null });
  const { reasons } = await retrieveChallenge(service, caller, row.challenge_id);
  if (!isAboutDevices(causeOf(reasons))) await completeChallenge(service, caller, row.challenge_id);
}

/** Signs out a device of the user, if a correct code was entered in this visit. */
export async function signOutDevice(service: Service, visit: Visit, device: string): Promise<void> {
  if (!visit.row.verified_at) return;
  await withNotice(
    service,
    visit,
    () => kickDevice(service, visit.caller, visit.row.challenge_id, device),
    'signed_out',
  );
}

/** Completes the challenge, if a correct code was entered in this visit and there is room for the device. */
export async function finishVisit(service: Service, visit: Visit): Promise<void> {
  const { row, caller } = visit;
  if (!row.verified_at) return;
  const challenge = await retrieveChallenge(service, caller, row.challenge_id);
  if (challenge.status === 'pending' && needsRoom(challenge)) return saveNotice(service, visit, 'room_needed');
  await withNotice(service, visit, () => completeChallenge(service, caller, row.challenge_id));
}

/**
 * Handles "This was not me": skips the challenge and emits `challenge.skipped`. For an unverified visitor it only ends
 * the visit, because such a visitor must not affect the user.
 */
export async function disownVisit(service: Service, visit: Visit): Promise<void> {
  const { row, caller } = visit;
  if (!isVerified(visit)) return changeVisit(service.db, row, { expires_at: service.now() });
  await withNotice(service, visit, () => skipChallenge(service, caller, row.challenge_id, 'disowned'));
}

async function tryCode(service: Service, visit: Visit, text: string): Promise<boolean> {
  const { row, caller } = visit;
  const response = await withNotice(service, visit, () => verifyChallenge(service, caller, row.challenge_id, text));
  if (response && !response.success) {
    await saveNotice(service, visit, response.attempts_remaining === 0 ? 'no_tries' : 'wrong_code');
  }
  return response?.success ?? false;
}

/** Notices by error code. */
const noticeOf: Partial<Record<ErrorCode, Notice>> = {
  code_expired: 'code_expired',
  unavailable: 'not_sent',
  no_channel: 'not_sent',
};
/** Errors without a notice, because the state of the challenge explains them. */
const selfExplanatory: readonly ErrorCode[] = [
  'challenge_closed',
  'code_not_sent',
  'challenge_not_verified',
  'own_factor_required',
  'not_found',
];

/** Runs an action and saves its notice. Returns undefined if the action was refused. */
async function withNotice<Result>(
  service: Service,
  visit: Visit,
  act: () => Promise<Result>,
  success: Notice | null = null,
): Promise<Result | undefined> {
  try {
    const result = await act();
    await saveNotice(service, visit, success);
    return result;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, retryAfterSeconds } = error;
    const canRetry = retryAfterSeconds !== undefined;
    if (code === 'too_many_attempts')
      await saveNotice(service, visit, canRetry ? 'locked' : 'no_tries', retryAfterSeconds);
    else if (code === 'rate_limited')
      await saveNotice(service, visit, canRetry ? 'wait' : 'no_more_codes', retryAfterSeconds);
    else if (noticeOf[code]) await saveNotice(service, visit, noticeOf[code]);
    else if (!selfExplanatory.includes(code) && code !== 'invalid_request') throw error;
    return undefined;
  }
}

async function saveNotice(
  { db, now }: Service,
  { row }: Visit,
  notice: Notice | null,
  waitSeconds?: number,
): Promise<void> {
  const until = waitSeconds === undefined ? null : new Date(now().getTime() + waitSeconds * 1000);
  await changeVisit(db, row, { notice, notice_until: until });
}
