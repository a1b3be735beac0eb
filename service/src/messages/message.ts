import type { Channel } from 'whorl/wire';

/**
 * Why a message was not handed over. `credentials`: the provider does not accept ours. `recipient`: it will never reach
 * this recipient. `busy`: it asks to come again later. `refused`: any other refusal.
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
 * A message that could not be sent for certain; after `timeout` it may arrive all the same. Holds no personal data, so
 * that it can be logged: providers' own words quote addresses, and are dropped.
 */
export class DeliveryUnavailable extends Error {
  readonly code = 'delivery_unavailable';
  readonly channel: Channel;
  readonly failure: DeliveryFailure;
  /** The provider's own code: an SMTP reply (550), an HTTP status, Twilio's number, or a name such as ESOCKET. */
  readonly providerCode: string | number | undefined;

  constructor(channel: Channel, failure: DeliveryFailure, providerCode?: string | number) {
    super(`No message could be sent by ${channel}: ${[failure, providerCode].filter((part) => part).join(' ')}`);
    this.name = 'DeliveryUnavailable';
    this.channel = channel;
    this.failure = failure;
    this.providerCode = providerCode;
  }
}

export interface CodeMessage {
  readonly channel: Channel;
  /** A mail address, or a phone number in E.164. */
  readonly to: string;
  readonly code: string;
  readonly expiresInMinutes: number;
  readonly project: {
    readonly name: string;
    /** Where the code is entered, such as `https://shop.example`: binds the code of a text message to that site. */
    readonly origin?: string | undefined;
  };
  /** A language tag, such as `de-AT`. English where there are no messages in it. */
  readonly language: string;
}
