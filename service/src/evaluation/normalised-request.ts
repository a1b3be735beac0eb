import type { AddressInfo, AddressSources, EvaluateRequest, Outcome } from 'whorl/wire';
import type { Proof } from '../recognition/proof/proof.js';
import type { AddressBook } from '../resources/addresses/address-book.js';
import { type Address, readAddress } from '../resources/addresses/addresses.js';
import { isForwarder } from '../resources/addresses/forwarders.js';
import type { Database, Service } from '../resources/service.js';
import { type Email, parseEmail, parsePhone } from '../resources/users/rules/contacts.js';
import type { EvaluationRow } from './queries/evaluations.js';

/** Contact in a request: for display, and normalised for comparison. */
export interface Contact {
  readonly display: string;
  readonly normalised: string;
  readonly mark: Uint8Array;
  /** All blind indexes under which it may be stored. */
  readonly marks: readonly Uint8Array[];
}

/** Address with what is known about it. Nothing is known about a shared address: it is a proxy's. */
export interface KnownAddress extends Address {
  readonly info?: AddressInfo;
}

/** Normalised request: contacts and address are parsed. */
export interface NormalisedRequest {
  readonly request: EvaluateRequest;
  readonly externalId: string;
  readonly outcome: Outcome;
  readonly address: KnownAddress | undefined;
  readonly email: (Contact & Email) | undefined;
  readonly phone: Contact | undefined;
  readonly proof: Proof;
}

/** Normalises a request, given its user's name and the result of its proof. */
export function normaliseRequest(
  { vault, addresses }: Service,
  request: EvaluateRequest,
  externalId: string,
  proof: Proof,
): NormalisedRequest {
  const email = request.email === undefined ? undefined : parseEmail(request.email);
  const phone = request.phone === undefined ? undefined : parsePhone(request.phone);
  return {
    request,
    externalId,
    outcome: request.outcome ?? 'succeeded',
    address: request.ip === undefined ? undefined : knownAddress(addresses, request.ip),
    email: email && { ...email, ...marksOf(vault, email.normalised, 'user.email') },
    phone:
      phone === undefined ? undefined : { display: phone, normalised: phone, ...marksOf(vault, phone, 'user.phone') },
    proof,
  };
}

function knownAddress(addresses: AddressBook, ip: string): KnownAddress | undefined {
  const address = readAddress(ip);
  const info = address && addresses.lookUp(address.ip);
  return address && { ...address, ...(info && { info }) };
}

function marksOf(vault: Service['vault'], normalised: string, context: string): Pick<Contact, 'mark' | 'marks'> {
  const marks = vault.blindIndexes(normalised, context);
  return { mark: marks[0], marks };
}

/**
 * Marks a page's address as shared if it may belong to a proxy that is not in the settings. A shared address belongs to
 * many people and grants no trust. A server names the address itself, so it is not marked.
 *
 * @param options.wasShared Whether the address was already marked. If so, it stays marked even if its proxy is now in
 *   the settings. Default: false.
 */
export async function markSharedAddress(
  db: Database,
  service: Service,
  normalised: NormalisedRequest,
  { wasShared = false }: { readonly wasShared?: boolean | undefined } = {},
): Promise<NormalisedRequest> {
  const { address } = normalised;
  if (!address || !(wasShared || (await isForwarder(db, service, address.network)))) return normalised;
  const { ip, network } = address;
  return { ...normalised, address: { ip, network, isShared: true } };
}

/** Returns the network used for comparison and trust; undefined if the address may be shared. */
export function ownNetwork({ address }: NormalisedRequest): string | undefined {
  return address?.isShared ? undefined : address?.network;
}

/**
 * Returns the blind indexes of a user's name under which failed attempts may be stored. The first is the one to store.
 */
export function nameIndexes(
  { vault }: Pick<Service, 'vault'>,
  worldId: string,
  externalId: string,
): readonly [Buffer, ...Buffer[]] {
  return vault.blindIndexes(externalId, `evaluation.user.${worldId}`);
}

/** Returns whether a stored blind index belongs to a name. */
export function includesIndex(indexes: readonly Buffer[], stored: Uint8Array): boolean {
  return indexes.some((index) => index.equals(stored));
}

/** Part of an evaluation's request that is stored encrypted. */
export interface SealedRequest
  extends Pick<
    EvaluateRequest,
    'fingerprint' | 'last_fingerprint' | 'version' | 'email' | 'phone' | 'metadata' | 'user_agent' | 'agent' | 'methods'
  > {
  /** Domain of the email address that counted: the request's, or the user's. */
  readonly email_domain?: string;
  /** Sources of what is known about the address. */
  readonly address_sources?: AddressSources;
}

/**
 * Returns the part of a request to store, with contacts in display form. Contacts of a failed attempt are not stored,
 * because anyone may have entered them.
 */
export function requestToSeal({ request, outcome, email, phone }: NormalisedRequest): SealedRequest {
  const { fingerprint, last_fingerprint, version, metadata, user_agent, agent, methods } = request;
  const sealed: SealedRequest = {};
  return Object.assign(sealed, {
    fingerprint,
    last_fingerprint,
    version,
    metadata,
    user_agent,
    agent,
    methods,
    ...(outcome === 'succeeded' && { email: email?.display, phone: phone?.display }),
  });
}

/** `last_fingerprint`: true if it is the same as `fingerprint`. */
type StoredRequest = Omit<SealedRequest, 'last_fingerprint'> & { readonly last_fingerprint?: string | true };

const requestContext = 'evaluation.request';

/** Returns the request of an evaluation as it is stored: compressed and encrypted. */
export function sealRequest({ vault }: Pick<Service, 'vault'>, request: SealedRequest): Buffer {
  const { fingerprint, last_fingerprint } = request;
  const isSame = fingerprint !== undefined && fingerprint === last_fingerprint;
  const stored: StoredRequest = isSame ? { ...request, last_fingerprint: true } : request;
  return vault.seal(JSON.stringify(stored), requestContext, { isCompressed: true });
}

/** Returns the decrypted request of a recorded evaluation. */
export function openRequest({ vault }: Service, { request }: Pick<EvaluationRow, 'request'>): SealedRequest {
  const { last_fingerprint, ...rest }: StoredRequest = JSON.parse(vault.open(request, requestContext));
  const last = last_fingerprint === true ? rest.fingerprint : last_fingerprint;
  return last === undefined ? rest : { ...rest, last_fingerprint: last };
}
