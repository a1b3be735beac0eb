import type { Reason, Verdict } from 'whorl/wire';
import type { DemoContext } from '../demo.js';
import { Refusal } from '../http/errors.js';
import type { User } from '../users/users.js';
import { beginSession } from './session.js';

/** The fields used from an evaluation or a consumed evaluation. */
interface Evaluated {
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  readonly device_id?: string;
  readonly device_token?: string;
  readonly challenge_id?: string;
  readonly challenge_url?: string;
}

/**
 * Applies the verdict: logs the user in, starts a challenge or refuses.
 *
 * @throws Refusal for `deny`.
 */
export async function actOn(c: DemoContext, user: User, evaluation: Evaluated): Promise<Response> {
  const { verdict, reasons, device_id, device_token, challenge_id, challenge_url } = evaluation;
  const userId = user.id;
  const judged = { verdict, reasons, deviceId: device_id, deviceToken: device_token };
  if (verdict === 'allow' || verdict === 'restrict') {
    const rights = verdict === 'allow' ? 'all' : 'few';
    return beginSession(c, { step: 'signed_in', userId, rights, byCode: false, judged });
  }
  if (verdict === 'deny' || challenge_id === undefined) {
    throw new Refusal(403, 'denied', 'Access was denied.', { reasons });
  }
  const challenge = { step: 'challenge', userId, challengeId: challenge_id, judged } as const;
  if (c.var.fields.challenge_page === 'service' && challenge_url) {
    return beginSession(c, { ...challenge, page: 'service', channels: [] }, { pageUrl: challenge_url });
  }
  const { channels } = await c.var.demo.whorl.challenges.open(challenge_id);
  return beginSession(c, { ...challenge, page: 'own', channels });
}
