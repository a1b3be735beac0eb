import { hash } from 'node:crypto';
import type { AddressInfo } from 'whorl/wire';
import type { Vault } from '../../ground/crypto/index.js';
import { type SubjectKind, subjectKinds } from '../../ground/vocabulary.js';
import { type Address, sourceNetwork } from '../../resources/addresses/addresses.js';
import type { CountedSubject, Subject } from './rules/counts.js';
import { cellOf } from './rules/distinct.js';

/** Part of a request that is counted. */
interface Counted {
  readonly externalId: string;
  readonly address: (Address & { readonly info?: AddressInfo }) | undefined;
  readonly email: { readonly domain: string } | undefined;
}

/** What an evaluation is counted by. */
export interface Subjects {
  /** Subjects in the order in which their rows are locked. */
  readonly subjects: readonly Subject[];
  readonly userCell: number;
  readonly deviceCell: number;
  readonly countryCell: number | null;
}

/** Enough for different subjects to have different keys. */
const keyBytes = 16;

/**
 * Returns the subjects of an evaluation. An address that may be shared by all visitors of a proxy is not counted.
 */
export function subjectsOf(
  { vault }: { readonly vault: Vault },
  worldId: string,
  { externalId, address, email }: Counted,
  identityId: string,
): Subjects {
  const index = (kind: SubjectKind, text: string) => indexesOf(vault, worldId, kind, text)[0];
  const [user] = indexesOf(vault, worldId, 'user', externalId);
  const own = address?.isShared ? undefined : address;
  const keys: Readonly<Record<SubjectKind, Uint8Array | undefined>> = {
    user,
    device: Buffer.from(identityId.replaceAll('-', ''), 'hex'),
    address: own && index('address', own.network),
    network: own && index('network', sourceNetwork(own.ip)),
    asn: own?.info?.asn === undefined ? undefined : index('asn', String(own.info.asn)),
    email_domain: email && index('email_domain', email.domain),
  };
  return {
    subjects: subjectKinds.flatMap((kind) => {
      const key = keys[kind];
      return key ? [{ kind, key: key.subarray(0, keyBytes) }] : [];
    }),
    userCell: cellOf(user),
    deviceCell: cellOf(hash('sha256', identityId, 'buffer')),
    countryCell: countryCellOf(own?.info?.country),
  };
}

/** Returns what an evaluation is counted by for a counter that a rule names. */
export function counterSubject({ vault }: { readonly vault: Vault }, worldId: string, name: string): CountedSubject {
  const [index] = vault.blindIndexes(name, `velocity.counter.${worldId}`);
  return { kind: 'counter', key: index.subarray(0, keyBytes) };
}

/** Returns a number for the network that an evaluation comes from; 0 if none is known. */
export function networkHash({ subjects }: Subjects): number {
  const network = subjects.find(({ kind }) => kind === 'network');
  return network ? Buffer.from(network.key).readInt32BE() : 0;
}

/** Returns all keys under which the counts of a user may be stored. */
export function userKeys(vault: Vault, worldId: string, externalId: string): Uint8Array[] {
  return indexesOf(vault, worldId, 'user', externalId).map((index) => index.subarray(0, keyBytes));
}

/** Returns all keys under which the counts of a value may be stored: an address, an ASN or an email domain. */
export function valueKeys(
  vault: Vault,
  worldId: string,
  kind: Exclude<SubjectKind, 'user' | 'device'>,
  text: string,
): Uint8Array[] {
  return indexesOf(vault, worldId, kind, text).map((index) => index.subarray(0, keyBytes));
}

function indexesOf(vault: Vault, worldId: string, kind: SubjectKind, text: string) {
  return vault.blindIndexes(text, `velocity.${kind}.${worldId}`);
}

/** Returns a cell of its own for each country (ISO 3166-1 alpha-2). */
function countryCellOf(country: string | undefined): number | null {
  const [first = -1, second = -1] = [...(country ?? '')].map((letter) => letter.charCodeAt(0) - 65);
  const isCode = country?.length === 2 && [first, second].every((letter) => letter >= 0 && letter < 26);
  return isCode ? first * 26 + second : null;
}
