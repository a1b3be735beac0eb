import type { ListEffect, ListKind } from 'whorl/wire';

/** Entry that applies to an evaluation. */
export interface ListHit {
  readonly id: string;
  readonly kind: ListKind;
  readonly effect: ListEffect;
}

/** What an evaluation is looked up by. Undefined parts are not looked up. */
export interface LookedUp {
  /** The customer's ID of the user. */
  readonly user?: string | undefined;
  readonly hardwareId?: string | undefined;
  readonly asn?: number | undefined;
  readonly country?: string | undefined;
  /** Domains of one email address. */
  readonly emailDomains?: readonly string[] | undefined;
}

/** Kinds and values to look up, one pair for each position. */
export interface ListKeys {
  readonly kinds: readonly ListKind[];
  readonly values: readonly string[];
}

/** Returns the kinds and values by which entries are found. An entry for a domain covers its subdomains. */
export function listKeysOf({ user, hardwareId, asn, country, emailDomains = [] }: LookedUp): ListKeys {
  const domains = new Set(emailDomains.flatMap(withParents));
  const pairs: readonly (readonly [ListKind, string | undefined])[] = [
    ['user', user],
    ['hardware', hardwareId],
    ['asn', asn === undefined ? undefined : String(asn)],
    ['country', country],
    ...[...domains].map((domain) => ['email_domain', domain] as const),
  ];
  const known = pairs.flatMap(([kind, value]) => (value === undefined ? [] : [{ kind, value }]));
  return { kinds: known.map(({ kind }) => kind), values: known.map(({ value }) => value) };
}

/** Maximum number of labels of a domain that are looked up. */
const maxLabels = 10;

/** Returns a domain and those that it belongs to, the longest first. */
export function withParents(domain: string): string[] {
  const labels = domain.split('.').slice(-maxLabels);
  return labels.map((_, index) => labels.slice(index).join('.'));
}
