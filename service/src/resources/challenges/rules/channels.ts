import type { Channel } from 'whorl/wire';

/** Addresses of a user; null if it has none. */
export interface Addresses {
  readonly email: unknown;
  readonly phone: unknown;
}

/** Channels that are configured. */
export type ConfiguredChannels = ReadonlySet<Channel>;

/** Returns the channels for which the user has an address, in order of preference. */
export function addressedChannels({ email, phone }: Addresses): Channel[] {
  return [...(phone === null ? [] : (['text'] as const)), ...(email === null ? [] : (['email'] as const))];
}

/** Returns the configured channels for which the user has an address, in order of preference. */
export function channelsOf(addresses: Addresses, configured: ConfiguredChannels): Channel[] {
  return addressedChannels(addresses).filter((channel) => configured.has(channel));
}

/** Returns the channel for a code: the requested one, otherwise the first. Undefined if no code can be sent on it. */
export function chooseChannel(
  addresses: Addresses,
  configured: ConfiguredChannels,
  requested: Channel | undefined,
): Channel | undefined {
  return channelsOf(addresses, configured).find((channel) => requested === undefined || channel === requested);
}

const missingAddress: Readonly<Record<Channel, string>> = {
  text: 'The user has no phone number.',
  email: 'The user has no email address.',
};
const missingTransport: Readonly<Record<Channel, string>> = {
  text:
    'This service cannot send text messages: set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or TEXT_URL ' +
    'and TEXT_TOKEN.',
  email: 'This service cannot send email: set SMTP_URL and MAIL_FROM.',
};

/** Explains why no code can be sent on the requested channel, or on any channel with an address. */
export function explainNoChannel(
  addresses: Addresses,
  configured: ConfiguredChannels,
  requested: Channel | undefined,
): string {
  if (requested) return configured.has(requested) ? missingAddress[requested] : missingTransport[requested];
  const unsendable = addressedChannels(addresses).map((channel) => missingTransport[channel]);
  return unsendable.join(' ') || 'The user has neither a phone number nor an email address.';
}
