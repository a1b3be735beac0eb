import { fieldOf, textOf } from '../server/browser-of.js';
import type { WhenUnavailable, Whorl } from '../server/index.js';
import { isChannel } from '../wire/channels.js';
import type { Reply } from './action-response.js';
import { bind, chosenFrom, readBinding } from './binding.js';
import type { About, OwnFactors } from './own-factor.js';
import { foreignChallenge, incompleteCode, lastWrongCode } from './replies.js';
import type { VisitorRequest } from './visitor-request.js';

interface Client {
  readonly whorl: Whorl<WhenUnavailable>;
  readonly factors: OwnFactors;
}

/** Returns the response about a challenge of this browser. Throws what the client throws. */
export async function respondAbout(
  { whorl, factors }: Client,
  route: 'open' | 'send' | 'begin' | 'verify',
  visitor: VisitorRequest,
): Promise<Reply> {
  const bound = await readBinding(whorl, visitor);
  const id = chosenFrom(bound, textOf(visitor.body, 'challenge'));
  if (id === undefined) return foreignChallenge;
  const about = { whorl, visitor, id, bound };
  if (route === 'open') {
    const challenge = await whorl.challenges.open(id);
    const { channels, expires_at, user } = challenge;
    const codes = { challenge: id, channels, expires_at, email: user.email, phone: user.phone };
    return { status: 200, body: { ...codes, ...(await factors.offer(about, challenge)) } };
  }
  if (route === 'begin') return factors.begin(about);
  const response = route === 'verify' ? fieldOf(visitor.body, 'response') : undefined;
  if (response !== undefined) return factors.verify(about, response);
  const refused = await factors.refuseCode(about);
  if (refused) return refused;
  if (route === 'verify') return verify(about);
  const channel = textOf(visitor.body, 'channel');
  return { status: 200, body: await whorl.challenges.send(id, isChannel(channel) ? { channel } : {}) };
}

async function verify({ whorl, visitor, id, bound }: About): Promise<Reply> {
  const code = textOf(visitor.body, 'code')?.replace(/\s/g, '') ?? '';
  if (!/^\d{6}$/.test(code)) return incompleteCode;
  const body = await whorl.challenges.verify(id, { code });
  if (body.attempts_remaining === 0) return lastWrongCode(body.resend_after_seconds);
  if (!body.success) return { status: 200, body };
  await whorl.challenges.complete(id);
  return { status: 200, body, headers: await bind(whorl, visitor, { id, state: 'completed' }, bound) };
}

/** Returns the outcome of a form that was sent without a script, for the query of the page that asks for codes. */
export function outcomeOf(route: 'send' | 'verify', { body }: Reply): string {
  const { code, success }: { code?: unknown; success?: unknown } = { ...body };
  if (typeof code === 'string') return code;
  if (route === 'send') return 'code_sent';
  return success === true ? 'code_accepted' : 'wrong_code';
}
