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
