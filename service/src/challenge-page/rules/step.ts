import type { Channel, DeviceInfo } from 'whorl/wire';
import type { Cause } from './cause.js';

/** What came of the last step, in a word. */
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
  /** For how long something has to wait still. */
  readonly waitSeconds?: number;
}

/** A way to send a code. Without an address it is not said which. */
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

/** What the page shows. */
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
