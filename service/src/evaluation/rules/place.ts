import type { AddressInfo } from 'whorl/wire';
import type { Facts } from './facts.js';

/** Returns what is known about the address; undefined if it may be a proxy's. */
export function placeOf({ address }: Pick<Facts, 'address'>): AddressInfo | undefined {
  return address?.isShared ? undefined : address?.info;
}
