import { z } from 'zod';
import { type CodeMessage, type DeliveryFailure, DeliveryUnavailable } from './message.js';
import { oneLine } from './one-line.js';
import { isOneSegment } from './segment.js';
import { attemptWords } from './words/attempt.js';
import type { Messages } from './words/messages.js';

/** Provider that sends text messages. */
export interface TextProvider {
  /**
   * @param to Phone number in E.164.
   * @throws DeliveryUnavailable, and no other error.
   */
  send(to: string, body: string): Promise<void>;
}

export interface PostRequest {
  readonly headers: Record<string, string>;
  readonly body: string | URLSearchParams;
  readonly timeoutMs: number;
}

/**
 * Sends a POST request and returns the status and body of the response. Does not follow redirects, which would send the
 * message and the credentials to another host.
 */
async function post(
  url: string,
  { headers, body, timeoutMs }: PostRequest,
): Promise<{ status: number; content: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    return { status: response.status, content: await response.text() };
  } catch {
    throw new DeliveryUnavailable('text', signal.aborted ? 'timeout' : 'unreachable');
  }
}

/** Returns the failure for a status other than 2xx. */
function failureOfStatus(status: number): DeliveryFailure {
  if (status === 401 || status === 403) return 'credentials';
  return status === 429 || status >= 500 ? 'busy' : 'refused';
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export interface HttpTextOptions {
  /** URL that messages are posted to. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token: string;
}

/** Creates a provider that posts `{ "to", "body" }` as JSON to a server of the operator, which responds with 2xx. */
export function createHttpProvider({ url, token }: HttpTextOptions, timeoutMs: number): TextProvider {
  if (!URL.canParse(url)) throw new RangeError('The URL for text messages is not valid.');
  return {
    async send(to, body) {
      const { status } = await post(url, {
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ to, body }),
        timeoutMs,
      });
      if (!isSuccess(status)) throw new DeliveryUnavailable('text', failureOfStatus(status), status);
    },
  };
}

export interface TwilioOptions {
  /** `AC…` */
  readonly accountSid: string;
  readonly authToken: string;
  /** Number in E.164, sender name, or ID of a messaging service (`MG…`). */
  readonly from: string;
  /** Default: `https://api.twilio.com`. */
  readonly baseUrl?: string | undefined;
}

/** https://www.twilio.com/docs/usage/twilios-response#response-formats-exceptions */
const problem = z.object({ code: z.number() });

/**
 * Error codes about the recipient: invalid number, not reachable from this sender, opted out with STOP, not a mobile
 * number (https://www.twilio.com/docs/api/errors).
 */
const recipientCodes = new Set([21211, 21612, 21610, 21614]);

/**
 * Creates a provider for Twilio's Messages resource
 * (https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource).
 */
export function createTwilio(
  { accountSid, authToken, from, baseUrl = 'https://api.twilio.com' }: TwilioOptions,
  timeoutMs: number,
): TextProvider {
  if (!URL.canParse(baseUrl)) throw new RangeError('The URL of the Twilio API is not valid.');
  const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, baseUrl).href;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };
  return {
    async send(to, body) {
      const { status, content } = await post(url, {
        headers: { Authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ To: to, ...sender, Body: body }),
        timeoutMs,
      });
      if (isSuccess(status)) return;
      const code = codeOf(content);
      const failure: DeliveryFailure = code && recipientCodes.has(code) ? 'recipient' : failureOfStatus(status);
      throw new DeliveryUnavailable('text', failure, code ?? status);
    },
  };
}

/** Returns Twilio's error code; undefined if the response is not from Twilio. */
function codeOf(content: string): number | undefined {
  try {
    return problem.safeParse(JSON.parse(content)).data?.code;
  } catch {
    return undefined;
  }
}

/**
 * Returns the text message with a code. If the project has an origin, the last line binds the code to it. Says as much
 * about the attempt as fits in one segment. There is no link to disown it: readers learn not to follow links in text
 * messages, operators of networks filter them, and one would leave no room for the attempt.
 */
export function codeText(
  { language, text }: Messages,
  { code, project, attempt }: Pick<CodeMessage, 'code' | 'project' | 'attempt'>,
): string {
  const { device, place, network, time } = attempt ? attemptWords(language, attempt) : {};
  const from = (...facts: (string | undefined)[]) => {
    const known = facts.filter((fact) => fact !== undefined);
    return known.length > 0 ? text.attempt(known.join(', ')) : undefined;
  };
  const { secrecy, notYou, password } = text;
  const variants = [
    [from(device, place, network, time), secrecy, notYou, password],
    [from(device, place, network, time), secrecy, notYou],
    [from(device, place, time), secrecy, notYou],
    [from(device, place, time), notYou],
    [from(device, time), secrecy, notYou],
    [from(time), notYou],
    [secrecy, notYou],
    [notYou],
  ];
  const host = project.origin === undefined ? undefined : hostOf(project.origin);
  const site = host === undefined ? '' : `\n\n@${host} #${code}`;
  const messagesWith = (nameLength: number, end: string) =>
    variants.map((parts) => {
      const name = oneLine(project.name, nameLength).replace(/…$/, '...');
      return [text.code(code, name), ...parts].filter((part) => part !== undefined).join(' ') + end;
    });
  // The first that fits is sent. The last always does.
  const messages = [...messagesWith(30, site), ...messagesWith(10, site), ...messagesWith(10, '')];
  return messages.find(isOneSegment) ?? messages.at(-1) ?? '';
}

/**
 * Returns the host of an origin-bound one-time code (https://wicg.github.io/sms-one-time-codes/): browsers offer the code
 * only there. The format supports only https without a port.
 */
function hostOf(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { protocol, hostname, port } = new URL(origin);
  return protocol === 'https:' && port === '' ? hostname : undefined;
}
