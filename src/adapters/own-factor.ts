import type { RequestHeaders, WhenUnavailable, Whorl } from '../server/index.js';
import type { Challenge } from '../wire/index.js';
import type { Reply } from './action-response.js';
import { type BoundChallenges, bind, factorStateOf, maxStateLength } from './binding.js';
import type { VisitorRequest } from './visitor-request.js';

/** A challenge that this browser began, and the request about it. */
export interface FactorRequest {
  readonly challenge: Challenge;
  /** Your own ID of the user whose challenge it is. Look the user's factors up by it, and by nothing of the request. */
  readonly user: string;
  readonly headers: RequestHeaders;
  /** The address of the visitor, if it is known. */
  readonly ip: string | undefined;
}

/** A factor of the application's own, by which it verifies one user, such as a passkey. */
export interface OwnFactor {
  /** Its name, such as `passkey`: 1 to 64 letters, digits, `_`, `.` and `-`. It becomes the challenge's `verified_by`. */
  readonly method: string;
  /** Whether the user may have a code sent instead. Whoever relays a login asks for the code. Default: false. */
  readonly offersCode?: boolean;
  /** Returns what the page needs, such as the options of WebAuthn. Default: nothing, as for an authenticator app. */
  readonly begin?: () => Begun | Promise<Begun>;
  /**
   * Returns whether the page's response verifies the user. If it throws, the response counts as wrong.
   *
   * @param response JSON of the page, or a field `response` of a form. At most 16 KiB. Nothing about it is checked.
   * @param state What `begin` returned for this challenge and browser less than 5 minutes ago. '' if that had no
   *   state, and undefined without `begin`.
   */
  verify(response: unknown, state: string | undefined): boolean | Promise<boolean>;
}

/** What a page needs to use a factor. */
export interface Begun {
  /** JSON for the page. */
  readonly options?: object;
  /**
   * What `verify` compares the response with, such as WebAuthn's challenge: at most 256 characters. A signed cookie keeps
   * it for 5 minutes, for this challenge only. The visitor can read it, and not change it.
   */
  readonly state?: string;
}

/** The option `challengeWith`. Returns the factor of a user, or undefined for a user who has none. */
export type ChallengeWith = (about: FactorRequest) => OwnFactor | undefined | Promise<OwnFactor | undefined>;

const maxResponseLength = 16 * 1024;
const limits = { wrongPerUser: 10, windowMs: 60 * 60_000, users: 10_000 };

const closed: Reply = {
  status: 409,
  body: { code: 'challenge_closed', detail: 'This request has expired. Start again.' },
};
const noFactor: Reply = {
  status: 422,
  body: { code: 'no_factor', detail: 'This account can only be confirmed with a code.' },
};
const ownFactorRequired: Reply = {
  status: 422,
  body: { code: 'own_factor_required', detail: 'This account is not confirmed with a code.' },
};
const unreadable: Reply = {
  status: 400,
  body: { code: 'wrong_factor', detail: 'The response cannot be read. Try again.' },
};
const wrong: Reply = {
  status: 200,
  body: { success: false, code: 'wrong_factor', detail: 'That did not confirm this account. Try again.' },
};
const expired: Reply = {
  status: 410,
  body: { code: 'factor_expired', detail: 'This took too long. Try again.' },
};

/** A request about a challenge of this browser. */
export interface About {
  readonly whorl: Whorl<WhenUnavailable>;
  readonly visitor: VisitorRequest;
  /** The challenge, which is this browser's. */
  readonly id: string;
  readonly bound: BoundChallenges;
}

/** Verifies users by the factors of the application. */
export class OwnFactors {
  private readonly find: ChallengeWith | undefined;
  /** Wrong responses of the last hour, by user: a challenge is quickly replaced by another. */
  private readonly wrong = new Map<string, { count: number; readonly since: number }>();

  constructor(find: ChallengeWith | undefined) {
    this.find = find;
  }

  /** Returns what the page is told about a challenge, beside its code: nothing if the user has no factor. */
  async offer({ visitor }: About, challenge: Challenge): Promise<object> {
    const factor = await this.factorOf(visitor, challenge);
    if (!factor) return {};
    return { method: factor.method, ...(!factor.offersCode && { channels: [] }) };
  }

  /** Returns the refusal to send or verify a code for a user who is verified by a factor only. */
  async refuseCode({ whorl, visitor, id }: About): Promise<Reply | undefined> {
    if (!this.find) return undefined;
    const factor = await this.factorOf(visitor, await whorl.challenges.retrieve(id));
    return factor && !factor.offersCode ? ownFactorRequired : undefined;
  }

  /** Returns what the page needs to use the factor. */
  async begin(about: About): Promise<Reply> {
    const { whorl, visitor, id, bound } = about;
    const challenge = await whorl.challenges.retrieve(id);
    if (challenge.status !== 'pending') return closed;
    const factor = await this.factorOf(visitor, challenge);
    if (!factor) return noFactor;
    const { options = {}, state = '' } = (await factor.begin?.()) ?? {};
    const body = { method: factor.method, options };
    if (state.length > maxStateLength) throw new RangeError(`The state has more than ${maxStateLength} characters.`);
    return { status: 200, body, headers: await bind(whorl, visitor, { id, state: 'open', factor: state }, bound) };
  }

  /** Verifies the page's response. A right one completes the challenge, which closes it for every further response. */
  async verify(about: About, response: unknown): Promise<Reply> {
    const { whorl, visitor, id, bound } = about;
    if (!isReadable(response)) return unreadable;
    const challenge = await whorl.challenges.retrieve(id);
    if (challenge.status !== 'pending') return closed;
    const factor = await this.factorOf(visitor, challenge);
    if (!factor) return noFactor;
    const state = factorStateOf(bound, id);
    if (factor.begin && state === undefined) return expired;
    const user = challenge.user.external_id;
    const waitSeconds = this.waitOf(user);
    if (waitSeconds > 0) return tooMany(waitSeconds);
    // Counted before it is verified: a hundred responses at once are a hundred.
    const undo = this.count(user);
    if (!(await isRight(factor, response, state))) return wrong;
    undo();
    await whorl.challenges.complete(id, { method: factor.method });
    const headers = await bind(whorl, visitor, { id, state: 'completed' }, bound);
    return { status: 200, body: { success: true }, headers };
  }

  private async factorOf({ headers, ip }: VisitorRequest, challenge: Challenge): Promise<OwnFactor | undefined> {
    return this.find?.({ challenge, user: challenge.user.external_id, headers, ip });
  }

  /** Returns how long a user has to wait after too many wrong responses. */
  private waitOf(user: string): number {
    const { count = 0, since = 0 } = this.wrong.get(user) ?? {};
    const leftMs = since + limits.windowMs - Date.now();
    return count >= limits.wrongPerUser && leftMs > 0 ? Math.ceil(leftMs / 1000) : 0;
  }

  private count(user: string): () => void {
    const now = Date.now();
    const known = this.wrong.get(user);
    const counted = known && now - known.since < limits.windowMs ? known : { count: 0, since: now };
    counted.count++;
    this.wrong.delete(user);
    this.wrong.set(user, counted);
    for (const oldest of this.wrong.keys()) {
      if (this.wrong.size <= limits.users) break;
      this.wrong.delete(oldest);
    }
    return () => {
      counted.count--;
    };
  }
}

/** Libraries throw for a response of another origin, challenge or credential. */
async function isRight(factor: OwnFactor, response: unknown, state: string | undefined): Promise<boolean> {
  try {
    return (await factor.verify(response, state)) === true;
  } catch {
    return false;
  }
}

function isReadable(response: unknown): boolean {
  if (typeof response !== 'object' && typeof response !== 'string') return false;
  try {
    return response !== null && JSON.stringify(response).length <= maxResponseLength;
  } catch {
    return false;
  }
}

function tooMany(seconds: number): Reply {
  const detail = `Too many wrong responses. Try again in ${seconds} seconds.`;
  return { status: 429, body: { code: 'too_many_attempts', detail }, headers: { 'retry-after': String(seconds) } };
}
