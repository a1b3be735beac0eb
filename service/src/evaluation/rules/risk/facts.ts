/** How often a value was seen before: in the user's allowed logins, and by how many users of the project. */
export interface Seen {
  readonly own: number;
  readonly users: number;
}

/** Everything that the risk score of a login depends on: plain data, counted before judging. */
export interface RiskFacts {
  /** Number of users of the project with an allowed login. */
  readonly users: number;
  readonly history: HistoryFacts;
  /** From the finest level to the coarsest. */
  readonly device: Readonly<Record<'fingerprint' | 'recognised' | 'hardware' | 'descriptor', Seen>>;
  readonly proof: ProofFacts;
  /** Undefined if no address is known. Levels about which no fact is known were seen by nobody. */
  readonly address: AddressLevels | undefined;
  readonly kind: KindFacts | undefined;
  /** Speed from the last trusted login to this one. Undefined if either position is unknown or not the person's. */
  readonly speedKmh: number | undefined;
  /** Failed attempts against the user within the last hour. */
  readonly failures: number;
}

export interface HistoryFacts {
  /** Number of the user's allowed logins. */
  readonly logins: number;
  readonly daysSinceLast: number;
  /** Numbers of different devices and addresses among them. */
  readonly devices: number;
  readonly addresses: number;
  /** Number of different addresses of this provider in this city among them: large behind a shared gateway. */
  readonly addressesInCity: number;
  /** Share of the user's logins, and of all logins, within three hours of this time of day. */
  readonly hourShare: number;
  readonly generalHourShare: number;
}

export type AddressLevels = Readonly<Record<'address' | 'network' | 'city' | 'asn' | 'country', Seen>>;

export interface ProofFacts {
  readonly result: 'valid' | 'none' | 'foreign';
  /** Number of the recognised device's logins, and how many of them were with its key. */
  readonly deviceLogins: number;
  readonly proven: number;
}

export interface KindFacts {
  readonly kind: 'hosting' | 'vpn' | 'proxy' | 'tor' | 'relay' | 'mobile';
  /** Whether the user had an allowed login from such a network before. */
  readonly isUsual: boolean;
}
