import { textOf } from '../server/browser-of.js';
import type { WhenUnavailable, Whorl } from '../server/index.js';
import type { Reply } from './action-response.js';
import { type BoundChallenges, bind, chosenFrom, readBinding } from './binding.js';
import { foreignChallenge, incompleteCode, lastWrongCode } from './replies.js';
import type { VisitorRequest } from './visitor-request.js';

type Client = Whorl<WhenUnavailable>;

/** Returns the response about a challenge of this browser. Throws what the client throws. */
export async function respondAbout(
  whorl: Client,
  route: 'open' | 'send' | 'verify',
  visitor: VisitorRequest,
): Promise<Reply> {
  const bound = await readBinding(whorl, visitor);
  const id = chosenFrom(bound, textOf(visitor.body, 'challenge'));
  if (id === undefined) return foreignChallenge;
  if (route === 'verify') return verify(whorl, visitor, id, bound);
  if (route === 'open') {
    const { channels, expires_at, user } = await whorl.challenges.open(id);
    return { status: 200, body: { challenge: id, channels, expires_at, email: user.email, phone: user.phone } };
  }
  const channel = textOf(visitor.body, 'channel');
  const isKnown = channel === 'email' || channel === 'text';
  return { status: 200, body: await whorl.challenges.send(id, isKnown ? { channel } : {}) };
}

async function verify(whorl: Client, visitor: VisitorRequest, id: string, bound: BoundChallenges): Promise<Reply> {
  const code = textOf(visitor.body, 'code')?.replace(/\s/g, '') ?? '';
  if (!/^\d{6}$/.test(code)) return incompleteCode;
  const body = await whorl.challenges.verify(id, { code });
  if (body.attempts_remaining === 0) return lastWrongCode(body.resend_after_seconds);
  if (!body.success) return { status: 200, body };
  await whorl.challenges.complete(id);
  return { status: 200, body, headers: await bind(whorl, visitor, { id, state: 'completed' }, bound) };
}

/** Returns what became of a form that a page without a script sent, for the query of the page that asks for codes. */
export function outcomeOf(route: 'send' | 'verify', { body }: Reply): string {
  const { code, success }: { code?: unknown; success?: unknown } = { ...body };
  if (typeof code === 'string') return code;
  if (route === 'send') return 'code_sent';
  return success === true ? 'code_accepted' : 'wrong_code';
}
