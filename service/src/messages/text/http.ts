import { DeliveryUnavailable } from '../errors.js';
import { failureOf, isSuccess, post, type TextProvider } from './provider.js';

export interface HttpTextOptions {
  /** Where messages are posted to. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token: string;
}

/** Any provider, through a small server of the operator's: it takes `{ "to", "body" }` as JSON, and answers 2xx. */
export function createHttpProvider({ url, token }: HttpTextOptions, timeoutMs: number): TextProvider {
  if (!URL.canParse(url)) throw new RangeError('The address for text messages is no URL.');
  return {
    async send(to, body) {
      const { status } = await post(url, {
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ to, body }),
        timeoutMs,
      });
      if (!isSuccess(status)) throw new DeliveryUnavailable('text', failureOf(status), status);
    },
  };
}
