import { ownFields } from '../own-fields.js';
import { addressFields, type Channel, isChannel } from '../wire/channels.js';
import type { ActionResponse } from './action-response.js';

/** A challenge that waits for a code. Each change creates another object. */
export interface Challenge {
  readonly id: string;
  /** The ways to send a code, in order of preference. With only one, a code is sent immediately. */
  readonly channels: readonly Channel[];
  /** The masked address of a channel. */
  readonly addresses: Readonly<Partial<Record<Channel, string>>>;
  /**
   * The factor of the application's own that is offered, such as `passkey`. Then no code is sent unless `send` is
   * called.
   */
  readonly method: string | undefined;
  /**
   * The masked address that the last code was sent to, perhaps by another tab. Undefined before the first one, and if
   * the last one can no longer be entered: it has expired, or too many wrong codes were entered.
   */
  readonly sentTo: string | undefined;
  /** Whether a request runs. Then `send` and `verify` do nothing. */
  readonly isPending: boolean;
  /** Why the last request failed. */
  readonly error: ChallengeError | undefined;
  /** Sends a code. Default channel: the first. */
  send(channel?: Channel): Promise<void>;
  /** Verifies a code, six digits. The right one ends the challenge, and the request that needed it is sent again. */
  verify(code: string): Promise<void>;
  /**
   * Confirms the account with the factor `method`: calls `answer` with the options that the server sent, and sends it
   * the result. A right one ends the challenge, as a right code does. Default: the function in the page's
   * `challengeWith`.
   */
  prove(answer?: Answer): Promise<void>;
  /** Ends the challenge without a code. */
  close(): void;
}

/**
 * Asks the visitor's factor, and resolves to the response for the server: for a passkey `(optionsJSON) =>
 * startAuthentication({ optionsJSON })` of `@simplewebauthn/browser`. Rejects if the visitor cancels. The parameter may
 * have the library's type.
 */
export type Answer = { answer(options: unknown): Promise<unknown> }['answer'];

/** Why a code was not sent or not accepted. */
export interface ChallengeError {
  /**
   * `wrong_code`, `wrong_factor`, `cancelled`, `network`, or a code of the service (docs/errors.md), such as
   * `rate_limited`.
   */
  readonly code: string | undefined;
  /** A sentence for the visitor. */
  readonly detail: string;
  /** With a wrong code that was counted. */
  readonly attemptsRemaining: number | undefined;
  /** When a new code can be sent, or the next one tried. 0: now. */
  readonly retryAfterSeconds: number | undefined;
}

interface Opened {
  readonly id: string;
  readonly opened: ActionResponse;
  /** Calls a route about this challenge. */
  readonly call: (route: string, fields: object) => Promise<ActionResponse>;
  /** Aborted when nobody waits for the code any more. */
  readonly signal: AbortSignal;
  /** The page's functions for factors of the application's own, by their names. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** The challenges of this page whose last code can no longer be entered. Kept when a challenge is closed. */
  readonly usedUp: Set<string>;
}

/**
 * Runs a challenge, and reports each change. Resolves to whether to send the request again: the right code was entered,
 * here or in another tab, or the account was confirmed otherwise.
 */
export function askForCode(
  { id, opened, call, signal, answers, usedUp }: Opened,
  onChange: (challenge: Challenge | undefined) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    let isOver = false;
    const change = (changes: Partial<Challenge>) => {
      if (isOver) return;
      challenge = { ...challenge, ...changes };
      onChange(challenge);
      const { error } = challenge;
      if (!error?.retryAfterSeconds) return;
      // "Try again in 30 seconds" is no longer true after them.
      setTimeout(() => challenge.error === error && change({ error: undefined }), error.retryAfterSeconds * 1000);
    };
    const end = (isRepeated: boolean) => {
      isOver = true;
      onChange(undefined);
      resolve(isRepeated);
    };
    const act = async (steps: () => Promise<Partial<Challenge>>) => {
      if (challenge.isPending || isOver) return;
      change({ isPending: true, error: undefined });
      change({ isPending: false, ...(await steps()) });
    };
    const ask = async (route: string, fields: object) => {
      const response = await call(route, fields);
      // Completed in another tab, or expired: then the request starts another challenge.
      if (response.code === 'challenge_closed' || response.body.success === true) end(true);
      return response;
    };
    const run = (route: string, fields: object, done: (response: ActionResponse) => Partial<Challenge>) =>
      act(async () => done(await ask(route, fields)));
    let challenge: Challenge = {
      id,
      ...addressesOf(opened),
      sentTo: undefined,
      isPending: false,
      error: undefined,
      send: (channel) =>
        run('send', { channel }, (response) => {
          if (response.ok) usedUp.delete(id);
          return afterSending(response, challenge, { channel, canEnterEarlier: !usedUp.has(id) });
        }),
      verify: (code) =>
        run('verify', { code }, (response) => {
          const isUsedUp = response.code === 'too_many_attempts' || response.code === 'code_expired';
          if (isUsedUp) usedUp.add(id);
          return { ...failed(response), ...(isUsedUp && { sentTo: undefined }) };
        }),
      prove: async (answer = ownAnswer(answers, challenge.method)) =>
        act(async () => {
          const begun = await ask('begin', {});
          if (!begun.ok) return failed(begun);
          let response: unknown;
          try {
            response = await answer(begun.body.options);
          } catch {
            return cancelled;
          }
          return isOver ? {} : failed(await ask('verify', { response }));
        }),
      close: () => isOver || end(false),
    };
    signal.addEventListener('abort', challenge.close);
    change({});
    if (challenge.method === undefined && challenge.channels.length < 2) void challenge.send();
  });
}

/** Returns what the response to `send` changes. */
function afterSending(
  response: ActionResponse,
  challenge: Challenge,
  { channel = challenge.channels[0], canEnterEarlier }: { channel: Channel | undefined; canEnterEarlier: boolean },
): Partial<Challenge> {
  if (response.ok) return { sentTo: String(response.body.sent_to) };
  // A code that was sent before can still be entered.
  const isOffered = response.code === 'rate_limited' && canEnterEarlier && channel;
  const earlier = isOffered ? challenge.addresses[channel] : undefined;
  return { ...failed(response), sentTo: challenge.sentTo ?? earlier };
}

function ownAnswer(answers: Opened['answers'], method: string | undefined): Answer {
  const answer = method === undefined ? undefined : ownFields(answers)[method];
  if (!answer) throw new TypeError(`The page has no function for the factor ${method} in challengeWith.`);
  return answer;
}

function addressesOf({ body }: ActionResponse): Pick<Challenge, 'channels' | 'addresses' | 'method'> {
  const channels = Array.isArray(body.channels) ? body.channels.filter(isChannel) : [];
  const method = typeof body.method === 'string' ? body.method : undefined;
  return {
    channels,
    method,
    addresses: Object.fromEntries(channels.map((channel) => [channel, String(body[addressFields[channel]])])),
  };
}

const cancelled: Pick<Challenge, 'error'> = {
  error: {
    code: 'cancelled',
    detail: 'The confirmation was cancelled, or did not work. Try again.',
    attemptsRemaining: undefined,
    retryAfterSeconds: undefined,
  },
};

function failed({ ok, code, detail, retryAfterSeconds, body }: ActionResponse): Pick<Challenge, 'error'> {
  const count = Number(body.attempts_remaining);
  const attempts = `attempt${count === 1 ? ' remains' : 's remain'}`;
  const wrong = { code: 'wrong_code', detail: `The code is wrong. ${count} ${attempts}.`, attemptsRemaining: count };
  const error = ok && code !== 'wrong_factor' ? wrong : { code, detail, attemptsRemaining: undefined };
  return { error: { ...error, retryAfterSeconds } };
}
