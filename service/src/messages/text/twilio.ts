import { z } from 'zod';
import { type DeliveryFailure, DeliveryUnavailable } from '../errors.js';
import { failureOf, isSuccess, post, type TextProvider } from './provider.js';

export interface TwilioOptions {
  /** `AC…` */
  readonly accountSid: string;
  readonly authToken: string;
  /** A number in E.164, a sender's name, or the id of a messaging service (`MG…`). */
  readonly from: string;
  /** Default `https://api.twilio.com`. */
  readonly baseUrl?: string | undefined;
}

/** https://www.twilio.com/docs/usage/twilios-response#response-formats-exceptions */
const problem = z.object({ code: z.number() });

/**
 * Codes that speak of the recipient: no valid number, not reachable through this sender, has written STOP, no mobile
 * (https://www.twilio.com/docs/api/errors).
 */
const recipientCodes = new Set([21211, 21612, 21610, 21614]);

/** Twilio's Messages resource (https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource). */
export function createTwilio(
  { accountSid, authToken, from, baseUrl = 'https://api.twilio.com' }: TwilioOptions,
  timeoutMs: number,
): TextProvider {
  if (!URL.canParse(baseUrl)) throw new RangeError("The address of Twilio's API is no URL.");
  const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, baseUrl).href;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };
  return {
    async send(to, body) {
      const { status, answer } = await post(url, {
        headers: { Authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ To: to, ...sender, Body: body }),
        timeoutMs,
      });
      if (isSuccess(status)) return;
      const code = codeOf(answer);
      const failure: DeliveryFailure = code && recipientCodes.has(code) ? 'recipient' : failureOf(status);
      throw new DeliveryUnavailable('text', failure, code ?? status);
    },
  };
}

/** Twilio's number for what is wrong; undefined where something else answered in its place. */
function codeOf(answer: string): number | undefined {
  try {
    return problem.safeParse(JSON.parse(answer)).data?.code;
  } catch {
    return undefined;
  }
}
