import type { Channel } from 'whorl/wire';

/** The addresses that a user has; null where there is none. */
export interface Addresses {
  readonly email: unknown;
  readonly phone: unknown;
}

/** The channels on which a user has an address, in the order in which they are tried. */
export function channelsOf({ email, phone }: Addresses): Channel[] {
  return [...(phone === null ? [] : (['text'] as const)), ...(email === null ? [] : (['email'] as const))];
}

/**
 * The channel that a code goes out on: the one asked for, or else the first that the user has an address for. Undefined
 * where there is no address.
 */
export function chooseChannel(addresses: Addresses, asked: Channel | undefined): Channel | undefined {
  return channelsOf(addresses).find((channel) => asked === undefined || channel === asked);
}
