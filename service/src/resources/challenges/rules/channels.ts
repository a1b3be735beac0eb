import type { Channel } from 'whorl/wire';
import { methods } from './methods/methods.js';

/** Addresses of a user; null if it has none. */
export interface Addresses {
  readonly email: unknown;
  readonly phone: unknown;
}

/** Channels that are configured. */
export type ConfiguredChannels = ReadonlySet<Channel>;

/** Returns the channels for which the user has an address, in order of preference. */
function addressedChannels(addresses: Addresses): Channel[] {
  return Object.values(methods).flatMap(({ channel, contact }) => (addresses[contact] === null ? [] : [channel]));
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

/** Explains why no code can be sent on the requested channel, or on any channel with an address. */
export function explainNoChannel(
  addresses: Addresses,
  configured: ConfiguredChannels,
  requested: Channel | undefined,
): string {
  if (requested) return methods[requested][configured.has(requested) ? 'missingContact' : 'missingTransport'];
  const unsendable = addressedChannels(addresses).map((channel) => methods[channel].missingTransport);
  return unsendable.join(' ') || 'The user has neither a phone number nor an email address.';
}
