import { validate as isUuid } from 'uuid';
import type { EvaluateRequest } from 'whorl/wire';
import { type Address, readAddress } from '../addresses/addresses.js';
import { isForwarder } from '../http/forwarders.js';
import type { Proof } from '../proof/proof.js';
import type { Caller, Database, Service } from '../service.js';
import { parseEmail, parsePhone } from '../users/rules/contacts.js';
import { findExternalId } from './queries/evaluation-state.js';

/** A contact of a request: as it is shown, and as it is compared. */
export interface Contact {
  readonly display: string;
  readonly normalised: string;
  readonly mark: Uint8Array;
  /** Every blind index that it may be stored under. */
  readonly marks: readonly Uint8Array[];
}

/** A request, read: what it names is found, what it says is normalised. */
export interface NormalisedRequest {
  readonly request: EvaluateRequest;
  readonly externalId: string;
  readonly address: Address | undefined;
  readonly email: Contact | undefined;
  readonly phone: Contact | undefined;
  readonly proof: Proof;
}

/** Reads what a request says, of a user whose name is known, with what came of its proof. */
export function normaliseRequest(
  { vault }: Service,
  request: EvaluateRequest,
  externalId: string,
  proof: Proof,
): NormalisedRequest {
  const email = request.email === undefined ? undefined : parseEmail(request.email);
  const phone = request.phone === undefined ? undefined : parsePhone(request.phone);
  return {
    request,
    externalId,
    address: request.ip === undefined ? undefined : readAddress(request.ip),
    email: email && { ...email, ...marksOf(vault, email.normalised, 'user.email') },
    phone:
      phone === undefined ? undefined : { display: phone, normalised: phone, ...marksOf(vault, phone, 'user.phone') },
    proof,
  };
}

function marksOf(vault: Service['vault'], normalised: string, context: string): Pick<Contact, 'mark' | 'marks'> {
  const marks = vault.marks(normalised, context);
  return { mark: marks[0], marks };
}

/**
 * Marks the address of what a page sent, where it may be that of a proxy which was not named: then it is everybody's, and
 * gives no trust. What a server sends says itself whose address it is.
 *
 * @param options.wasShared Whether the address was marked before: it stays so after its proxy was named.
 */
export async function markSharedAddress(
  db: Database,
  service: Service,
  asked: NormalisedRequest,
  { wasShared = false }: { readonly wasShared?: boolean | undefined } = {},
): Promise<NormalisedRequest> {
  const { address } = asked;
  if (!address || !(wasShared || (await isForwarder(db, service, address.network)))) return asked;
  return { ...asked, address: { ...address, isShared: true } };
}

/** Returns the network by which a request is compared with others, and trusted; undefined where it may be everybody's. */
export function ownNetwork({ address }: NormalisedRequest): string | undefined {
  return address?.isShared ? undefined : address?.network;
}

/** A user is named by the customer's identifier, or, where none matches, by the service's. */
export async function externalIdOf(db: Database, { worldId }: Caller, user: string): Promise<string> {
  return isUuid(user) ? ((await findExternalId(db, worldId, user)) ?? user) : user;
}
