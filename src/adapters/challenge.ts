import { ownFields } from '../own-fields.js';
import type { Channel } from '../wire/index.js';
import type { ActionResponse } from './action-response.js';

/** A challenge that waits for a code. Each change creates another object. */
export interface Challenge {
  readonly id: string;
  /** The ways to send a code, in order of preference. With only one, a code is sent immediately. */
  readonly channels: readonly Channel[];
  /** The masked address of a channel. */
  readonly addresses: Readonly<Partial<Record<Channel, string>>>;
  /**
   * The masked address to which the last code was sent, perhaps by another tab. Undefined before the first one, and if
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
  /** Ends the challenge without a code. */
  close(): void;
}

/** Why a code was not sent or not accepted. */
export interface ChallengeError {
  /** `wrong_code`, `network`, or a code of the service (docs/errors.md), such as `rate_limited`. */
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
  readonly signal: AbortSignal | undefined;
  /** The challenges of this page whose last code can no longer be entered. Kept when a challenge is closed. */
  readonly usedUp: Set<string>;
}

/**
 * Runs a challenge, and reports each change. Resolves to whether to send the request again: the right code was entered,
 * here or in another tab.
 */
export function askForCode(
  { id, opened, call, signal, usedUp }: Opened,
  onChange: (challenge: Challenge | undefined) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    let isOver = false;
    const change = (changes: Partial<Challenge>) => {
      if (isOver) return;
      challenge = { ...challenge, ...changes };
      onChange(challenge);
      const { error } = ownFields(changes);
      if (!error?.retryAfterSeconds) return;
      // "Try again in 30 seconds" is no longer true after them.
      setTimeout(() => challenge.error === error && change({ error: undefined }), error.retryAfterSeconds * 1000);
    };
    const end = (isRepeated: boolean) => {
      isOver = true;
      onChange(undefined);
      resolve(isRepeated);
    };
    const run = async (route: string, fields: object, done: (response: ActionResponse) => Partial<Challenge>) => {
      if (challenge.isPending || isOver) return;
      change({ isPending: true, error: undefined });
      const response = await call(route, fields);
      // Completed in another tab, or expired: then the request starts another challenge.
      if (response.code === 'challenge_closed') end(true);
      change({ isPending: false, ...done(response) });
    };
    let challenge: Challenge = {
      id,
      ...addressesOf(opened),
      sentTo: undefined,
      isPending: false,
      error: undefined,
      send: (channel) =>
        run('send', { channel }, (response) => {
          if (response.ok) {
            usedUp.delete(id);
            return { sentTo: String(response.body.sent_to) };
          }
          const [first] = challenge.channels;
          const used = channel ?? first;
          // A code that was sent before can still be entered.
          const canEnter = response.code === 'rate_limited' && !usedUp.has(id);
          const earlier = canEnter && used && challenge.addresses[used];
          return { ...failed(response), ...(earlier && { sentTo: challenge.sentTo ?? earlier }) };
        }),
      verify: (code) =>
        run('verify', { code }, (response) => {
          if (response.body.success === true) end(true);
          const isUsedUp = response.code === 'too_many_attempts' || response.code === 'code_expired';
          if (isUsedUp) usedUp.add(id);
          return { ...failed(response), ...(isUsedUp && { sentTo: undefined }) };
        }),
      close: () => isOver || end(false),
    };
    signal?.addEventListener('abort', challenge.close);
    change({});
    if (challenge.channels.length < 2) void challenge.send();
  });
}

function addressesOf({ body }: ActionResponse): Pick<Challenge, 'channels' | 'addresses'> {
  const channels = Array.isArray(body.channels) ? body.channels.filter(isChannel) : [];
  const fields = { text: body.phone, email: body.email };
  return { channels, addresses: Object.fromEntries(channels.map((channel) => [channel, String(fields[channel])])) };
}

function isChannel(value: unknown): value is Channel {
  return value === 'text' || value === 'email';
}

function failed({ ok, code, detail, retryAfterSeconds, body }: ActionResponse): Pick<Challenge, 'error'> {
  const count = Number(body.attempts_remaining);
  const attempts = `attempt${count === 1 ? ' remains' : 's remain'}`;
  const wrong = { code: 'wrong_code', detail: `The code is wrong. ${count} ${attempts}.`, attemptsRemaining: count };
  return { error: { ...(ok ? wrong : { code, detail, attemptsRemaining: undefined }), retryAfterSeconds } };
}
