/** What accounts can share. */
export type LinkKind = 'key' | 'email' | 'phone' | 'device' | 'hardware' | 'address';

/**
 * How much a shared thing says. `proven`: the same private key. `contact`: the same email address or phone number.
 * `fingerprint`: devices that were recognised as one. `weak`: also shared by people who have nothing in common.
 */
export type LinkStrength = 'proven' | 'contact' | 'fingerprint' | 'weak';

/** Strongest first. */
export const linkStrengths: readonly LinkStrength[] = ['proven', 'contact', 'fingerprint', 'weak'];

interface LinkRule {
  readonly strength: LinkStrength;
  /** Accounts with one thing that are read. Of a weak kind, a thing that more accounts have says nothing. */
  readonly maxAccounts: number;
}

export const linkRules: Readonly<Record<LinkKind, LinkRule>> = {
  key: { strength: 'proven', maxAccounts: 200 },
  email: { strength: 'contact', maxAccounts: 200 },
  phone: { strength: 'contact', maxAccounts: 200 },
  device: { strength: 'fingerprint', maxAccounts: 200 },
  hardware: { strength: 'weak', maxAccounts: 20 },
  address: { strength: 'weak', maxAccounts: 20 },
};

/** Something that an account has, as the database names it. */
export interface LinkRow {
  readonly kind: LinkKind;
  readonly value: string;
  readonly user_id: string;
  /** Name for people: of the device, or the address. */
  readonly label: string | null;
  /** Device of the account. */
  readonly device_id: string | null;
}

/** Something that at least two accounts share. */
export interface SharedThing {
  readonly kind: LinkKind;
  readonly value: string;
  readonly label: string | null;
  /** Device of one of the accounts. */
  readonly deviceId: string | null;
  readonly userIds: readonly string[];
  /** Whether more accounts have it than were read. */
  readonly hasMore: boolean;
}

/**
 * Groups rows by what they share, the strongest kinds first. Leaves out things that only one account has, and weak ones
 * that too many have.
 */
export function sharedThings(rows: Iterable<LinkRow>): SharedThing[] {
  const groups = new Map<string, { first: LinkRow; userIds: Set<string> }>();
  for (const row of rows) {
    const key = `${row.kind} ${row.value}`;
    const group = groups.get(key) ?? { first: row, userIds: new Set() };
    group.userIds.add(row.user_id);
    groups.set(key, group);
  }
  return [...groups.values()]
    .filter(({ userIds }) => userIds.size > 1)
    .map(({ first, userIds }) => ({
      kind: first.kind,
      value: first.value,
      label: first.label,
      deviceId: first.device_id,
      userIds: [...userIds],
      hasMore: userIds.size > linkRules[first.kind].maxAccounts,
    }))
    .filter(({ kind, hasMore }) => !hasMore || linkRules[kind].strength !== 'weak')
    .sort((one, other) => rankOf(one.kind) - rankOf(other.kind) || other.userIds.length - one.userIds.length);
}

function rankOf(kind: LinkKind): number {
  return linkStrengths.indexOf(linkRules[kind].strength);
}

/** Returns the strength of an account's strongest link; undefined if it has none. */
export function strongestLink(kinds: readonly LinkKind[]): LinkStrength | undefined {
  return linkStrengths[Math.min(...kinds.map(rankOf))];
}
