import type { DeviceInfo } from 'whorl/wire';

/** Where an attempt came from, as far as it is known. */
export interface Place {
  readonly city?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

/** What a person is told about the attempt that a challenge is about. */
export interface Attempt extends Place {
  readonly device: DeviceInfo;
  /** Organisation that operates the network. */
  readonly organisation?: string;
  readonly at: Date;
}
