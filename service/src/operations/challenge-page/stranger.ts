import type { Notice } from '../../domain/challenge-page/step.js';
import { channelsOf } from '../../domain/challenges/channels.js';
import { codeLimits } from '../../domain/challenges/codes.js';
import { ApiError } from '../../errors.js';
import type { Service } from '../../service.js';
import { findChallenge } from '../../store/queries/challenges.js';
import { findUserByExternalId } from '../../store/queries/users.js';
import { changeVisit, takeAsk, takeTry } from '../../store/queries/visits.js';
import { sendChallenge } from '../challenges/send.js';
import { verifyChallenge } from '../challenges/verify.js';
import type { Visit } from './visit.js';

/**
 * Sends a code where the user of a claim is known and has an address. The visitor is told the same in any case, and
 * does not wait for the provider: it may be anyone, and must not learn whether there is such a user. A user who is not
 * known is not made, and the challenge is touched for one who can be sent a code only.
 */
export async function askAsStranger(service: Service, { row, caller }: Visit): Promise<void> {
  const { db } = service;
  const now = service.now();
  const lastBefore = new Date(now.getTime() - codeLimits.resendAfterSeconds * 1000);
  if (!(await takeAsk(db, row.id, { asks: codeLimits.sendsPerChallenge, lastBefore }, now))) return;
  const challenge = await findChallenge(db, caller.worldId, row.challenge_id);
  const user = challenge && (await findUserByExternalId(db, caller.worldId, challenge.external_user));
  if (!user || channelsOf(user).length === 0) return;
  sendChallenge(service, caller, row.challenge_id, { onPage: true }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) service.log.error({ err: error }, 'a code could not be sent');
  });
}

/**
 * Tries a code that a stranger enters. Tries are counted for the visit, so that they run out in the same way whether
 * there is a user or not; under the limits of `verifyChallenge` besides, which are not told apart from a wrong code.
 */
export async function tryAsStranger(service: Service, { row, caller }: Visit, text: string): Promise<boolean> {
  const { db } = service;
  const tell = async (notice: Notice) => {
    await changeVisit(db, row.id, { notice, notice_until: null });
    return false;
  };
  if (!row.asked_at) return false;
  const askedMs = service.now().getTime() - row.asked_at.getTime();
  if (askedMs >= codeLimits.lifetimeMinutes * 60_000) return tell('code_expired');
  if (!(await takeTry(db, row.id, codeLimits.triesPerCode))) return tell('no_tries');
  const challenge = await findChallenge(db, caller.worldId, row.challenge_id);
  // Not touched: there was nobody to send a code to.
  if (!challenge?.announced_at || !challenge.sent_at) return tell('wrong_code');
  try {
    const { success } = await verifyChallenge(service, caller, row.challenge_id, text);
    return success || (await tell('wrong_code'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return tell('wrong_code');
  }
}
