import type { Channel } from 'whorl/wire';
import type { Attempt } from './rules/attempt.js';

/**
 * Reason why a message was not sent. `credentials`: the provider rejected the credentials. `recipient`: this recipient can
 * never be reached. `busy`: temporary refusal. `refused`: any other refusal.
 */
export type DeliveryFailure =
  | 'not_configured'
  | 'unreachable'
  | 'timeout'
  | 'credentials'
  | 'recipient'
  | 'busy'
  | 'refused';

/**
 * A message may not have been sent; after `timeout` it may still arrive. Contains no personal data and can be logged:
 * the provider's message is dropped, because it may quote addresses.
 */
export class DeliveryUnavailable extends Error {
  readonly code = 'delivery_unavailable';
  readonly channel: Channel;
  readonly failure: DeliveryFailure;
  /** Code of the provider: an SMTP reply (550), an HTTP status, a Twilio error code, or a name such as ESOCKET. */
  readonly providerCode: string | number | undefined;

  constructor(channel: Channel, failure: DeliveryFailure, providerCode?: string | number) {
    super(`Sending a message by ${channel} failed: ${[failure, providerCode].filter((part) => part).join(' ')}`);
    this.name = 'DeliveryUnavailable';
    this.channel = channel;
    this.failure = failure;
    this.providerCode = providerCode;
  }
}

export interface CodeMessage extends CodeContent {
  readonly channel: Channel;
  /** Email address, or phone number in E.164. */
  readonly to: string;
  /** Language tag, such as `de-AT`. Unsupported languages fall back to English. */
  readonly language: string;
}

/** What a message says. */
export interface CodeContent {
  readonly code: string;
  readonly expiresInMinutes: number;
  readonly project: {
    readonly name: string;
    /** Origin where the code is entered, such as `https://shop.example`. Binds the code in a text message to that site. */
    readonly origin?: string | undefined;
  };
  /** Undefined if it is not known any more. */
  readonly attempt?: Attempt | undefined;
  /** URL of the page where the receiver can say that the attempt was not theirs. */
  readonly disownUrl?: string | undefined;
}
