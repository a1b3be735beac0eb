import { isIPv4 } from 'node:net';
import type { Channel, DeviceInfo, Reason } from 'whorl/wire';

/** Results of the last step that the page explains. */
export const notices = [
  'wrong_code',
  'no_code',
  'code_expired',
  'no_tries',
  'locked',
  'wait',
  'no_more_codes',
  'not_sent',
  'room_needed',
  'signed_out',
] as const;
export type Notice = (typeof notices)[number];

export interface Told {
  readonly notice: Notice;
  /** The remaining wait. */
  readonly waitSeconds?: number;
}

/** A way to send a code. Unverified visitors do not see the address. */
export interface Offer {
  readonly channel?: Channel;
  /** Masked. */
  readonly to?: string;
}

/** How a code can be asked for now. */
export interface Sending {
  readonly offers: readonly Offer[];
  /** How long until another can be sent; 0: at once. */
  readonly waitSeconds: number;
  /** Whether the challenge may send another at all. */
  readonly isLeft: boolean;
}

/** A device of the user, as the page lists it. */
export interface ListedDevice {
  readonly id: string;
  readonly info: DeviceInfo;
  /** Masked. */
  readonly address?: string;
  readonly lastSeenAt: Date;
  /** The one that is challenged. */
  readonly isThis: boolean;
}

/** The states of the page. */
export type Step =
  | { readonly name: 'ask'; readonly cause?: Cause; readonly sending: Sending }
  | {
      readonly name: 'enter';
      readonly cause?: Cause;
      /** Masked; where it is not known who visits, nothing is said. */
      readonly sentTo?: string;
      readonly triesLeft: number;
      readonly isCodeOver: boolean;
      readonly sending: Sending;
    }
  | {
      readonly name: 'devices';
      readonly cause: Cause;
      readonly devices: readonly ListedDevice[];
      /** Whether a device has to be signed out first. */
      readonly isFull: boolean;
    }
  | { readonly name: 'unreachable' | 'done' | 'disowned' | 'over' };

/** Why a code is required, as far as the page says so. It does not reveal signs of tampering. */
export type Cause = 'too_many_devices' | 'several_places' | 'new_place' | 'unusual';

const ofNewPlaces: readonly Reason[] = ['new_device', 'new_ip', 'unproven_device'];

/** Returns the cause of a challenge. Causes that the person can act on come first. */
export function causeOf(reasons: readonly Reason[]): Cause {
  if (reasons.includes('limit_exceeded')) return 'too_many_devices';
  if (reasons.includes('concurrency')) return 'several_places';
  return reasons.some((reason) => ofNewPlaces.includes(reason)) ? 'new_place' : 'unusual';
}

/** Returns whether a cause is about the devices of the account. */
export function isAboutDevices(cause: Cause): boolean {
  return cause === 'too_many_devices' || cause === 'several_places';
}

/** Returns the first half of an IPv4 address, or the first two groups of an IPv6 address. */
export function maskAddress(ip: string): string {
  if (isIPv4(ip)) return ip.replace(/\d+\.\d+$/, 'x.x');
  return `${ip.split(':').slice(0, 2).join(':')}:…`;
}

/** Longer than any address that a browser would go to. */
const longestAddress = 4096;

/**
 * Returns the requested return URL, normalised, if it is on the project's list, and undefined otherwise. An entry is an origin (`https://shop.example`), which allows all of it, or an
 * address with a path, which allows what is under that path. Addresses with a user name are refused: they are made to
 * look like another site's.
 */
export function readReturnAddress(asked: string | undefined, allowed: readonly string[]): string | undefined {
  if (asked === undefined || asked.length > longestAddress) return undefined;
  const address = parse(asked);
  if (!address) return undefined;
  return allowed.some((entry) => covers(entry, address)) ? address.href : undefined;
}

/** Returns whether an entry is valid for the list. */
export function isReturnEntry(entry: string): boolean {
  const address = parse(entry);
  // A star would stand for nothing, and be taken for anything.
  return address !== undefined && address.search === '' && address.hash === '' && !entry.includes('*');
}

function covers(entry: string, address: URL): boolean {
  const prefix = parse(entry);
  if (!prefix || prefix.origin !== address.origin) return false;
  // `/account` covers `/account/orders`, and not `/accounting`.
  const path = prefix.pathname.replace(/\/$/, '');
  return address.pathname === path || address.pathname.startsWith(`${path}/`);
}

function parse(text: string): URL | undefined {
  // Without a base: `//evil.example` and `/path` are no addresses of their own.
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '';
  return isPlain && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}

/** A colour as settings have it. */
export const colourForm = /^#[0-9a-f]{6}$/i;

/** Returns black or white, whichever has more contrast on a colour. It is at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
export function readableOn(colour: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => linear(colour.slice(start, start + 2)));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Where both contrasts are the same: (1.05) / (l + 0.05) = (l + 0.05) / 0.05.
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

function linear(channel: string): number {
  const value = Number.parseInt(channel, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
