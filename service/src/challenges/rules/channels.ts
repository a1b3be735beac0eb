import type { Channel } from 'whorl/wire';

/** The addresses that a user has; null where there is none. */
export interface Addresses {
  readonly email: unknown;
  readonly phone: unknown;
}

/** The channels that the service can send on. */
export type ConfiguredChannels = ReadonlySet<Channel>;

/** The channels that have an address, in the order of preference. */
export function addressedChannels({ email, phone }: Addresses): Channel[] {
  return [...(phone === null ? [] : (['text'] as const)), ...(email === null ? [] : (['email'] as const))];
}

/** The channels on which the user has an address and the service can send, in the order of preference. */
export function channelsOf(addresses: Addresses, configured: ConfiguredChannels): Channel[] {
  return addressedChannels(addresses).filter((channel) => configured.has(channel));
}

/** The channel for a code: the one asked for, or else the first. Undefined where no code can be sent on it. */
export function chooseChannel(
  addresses: Addresses,
  configured: ConfiguredChannels,
  asked: Channel | undefined,
): Channel | undefined {
  return channelsOf(addresses, configured).find((channel) => asked === undefined || channel === asked);
}

const missingAddress: Readonly<Record<Channel, string>> = {
  text: 'The user has no phone number.',
  email: 'The user has no e-mail address.',
};
const missingTransport: Readonly<Record<Channel, string>> = {
  text:
    'This service cannot send text messages: set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or TEXT_URL ' +
    'and TEXT_TOKEN.',
  email: 'This service cannot send mail: set SMTP_URL and MAIL_FROM.',
};

/** Says why no code can be sent: the channel asked for, or else each that has an address. */
export function explainNoChannel(
  addresses: Addresses,
  configured: ConfiguredChannels,
  asked: Channel | undefined,
): string {
  if (asked) return configured.has(asked) ? missingAddress[asked] : missingTransport[asked];
  const unsendable = addressedChannels(addresses).map((channel) => missingTransport[channel]);
  return unsendable.join(' ') || 'The user has neither a phone number nor an e-mail address.';
}
