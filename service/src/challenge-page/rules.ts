import { isIPv4 } from 'node:net';
import type { Channel, DeviceInfo, NoticeKind, Reason } from 'whorl/wire';
import type { Attempt } from '../ground/messages/rules/attempt.js';

/** Results of the last step, explained on the page. */
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

export interface ShownNotice {
  readonly notice: Notice;
  /** Remaining wait, in seconds. */
  readonly waitSeconds?: number;
}

/** Channel on which a code can be sent. Unverified visitors do not see the channel and the address. */
export interface Offer {
  readonly channel?: Channel;
  /** Masked email address or phone number. */
  readonly to?: string;
}

/** How a code can be requested now. */
export interface Sending {
  readonly offers: readonly Offer[];
  /** Wait until another code can be sent, in seconds. 0 means now. */
  readonly waitSeconds: number;
  /** Whether the challenge has codes left to send. */
  readonly hasCodesLeft: boolean;
}

/** Device of the user, as listed on the page. */
export interface ListedDevice {
  readonly id: string;
  readonly info: DeviceInfo;
  /** Masked IP address. */
  readonly address?: string;
  readonly lastSeenAt: Date;
  /** Whether this is the challenged device. */
  readonly isThis: boolean;
}

/** States of the page. */
export type Step =
  /** The browser is compared with the one that began the challenge. */
  | { readonly name: 'check'; readonly scope: string; readonly nonce?: string }
  | { readonly name: 'confirm'; readonly attempt: Attempt }
  | { readonly name: 'another' }
  | {
      readonly name: 'ask';
      readonly cause?: Cause;
      readonly attempt?: Attempt;
      readonly sending: Sending;
    }
  | {
      readonly name: 'enter';
      readonly cause?: Cause;
      /** Masked recipient. Absent for unverified visitors. */
      readonly sentTo?: string;
      readonly triesLeft: number;
      readonly isCodeStale: boolean;
      readonly sending: Sending;
    }
  | {
      readonly name: 'devices';
      readonly cause: Cause;
      readonly devices: readonly ListedDevice[];
      /** Whether a device has to be signed out first. */
      readonly isFull: boolean;
    }
  /** Asks the receiver of a message whether the attempt was theirs. */
  | { readonly name: 'disown'; readonly attempt: Attempt }
  /** Asks the receiver of a message whether a device, change or login was theirs. */
  | { readonly name: 'notice'; readonly kind: NoticeKind; readonly hasDevice: boolean; readonly attempt: Attempt }
  /** Says what the link of that message did. */
  | { readonly name: 'noticed'; readonly hasDevice: boolean }
  | { readonly name: 'unreachable' | 'own_factor' | 'done' | 'disowned' | 'expired' | 'confirmed' | 'ended' };

/** Why a code is required, as shown to the user. It does not reveal signs of tampering. */
export type Cause = 'too_many_devices' | 'several_places' | 'new_place' | 'unusual';

const newPlaceReasons: readonly Reason[] = ['new_device', 'new_ip', 'unproven_device'];

/** Returns the cause of a challenge. Causes that the user can act on come first. */
export function causeOf(reasons: readonly Reason[]): Cause {
  if (reasons.includes('limit_exceeded')) return 'too_many_devices';
  if (reasons.includes('concurrency')) return 'several_places';
  return reasons.some((reason) => newPlaceReasons.includes(reason)) ? 'new_place' : 'unusual';
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

/**
 * Returns black or white, whichever has more contrast on a colour. The contrast is at least 4.5:1 (WCAG 2.2, 1.4.3).
 */
export function readableOn(colour: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => linear(colour.slice(start, start + 2)));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Luminance at which both contrasts are equal: 1.05 / (l + 0.05) = (l + 0.05) / 0.05.
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

function linear(channel: string): number {
  const value = Number.parseInt(channel, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
