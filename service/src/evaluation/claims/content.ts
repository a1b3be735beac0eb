import type { MatchedBy, Outcome, ProofOutcome, ReasonEvidence, Verdict } from 'whorl/wire';
import { ApiError } from '../../ground/errors.js';
import { timeOfId } from '../../ground/ids.js';
import type { Decision } from '../../ground/vocabulary.js';
import type { Service } from '../../resources/service.js';
import type { SealedRequest } from '../normalised-request.js';
import type { ClaimRow } from './queries.js';

/** Stored content of a claim: the request and the result. */
export interface ClaimContent {
  readonly request: SealedRequest & {
    /** Absent for a failed attempt: the name is then stored only as a blind index. */
    readonly user?: string;
    readonly action: string;
    readonly ip?: string;
    readonly outcome?: Outcome;
  };
  /** Whether the address may belong to a proxy that is not in the settings. */
  readonly is_address_shared?: true;
  readonly verdict: Verdict;
  readonly observed_verdict?: Verdict;
  readonly findings: ReasonEvidence[];
  /** Absent in claims of older versions, which are kept for a day. */
  readonly decisions?: readonly Decision[];
  readonly fingerprint_id: string;
  readonly confidence: number;
  readonly matched_by: MatchedBy;
  readonly changed: readonly string[];
  readonly proof?: ProofOutcome;
  readonly key_thumbprint?: string;
  /** ID of the user. If the user does not exist yet, the ID that it gets if this claim creates it. */
  readonly user_id: string;
  /** The user's number of revocations when the claim was created: see `UserTable`. */
  readonly revocations: number;
  /** Expiry of the claim's challenge. */
  readonly expires_at: string;
}

/** Claim whose user has not been erased. */
export interface Claim {
  readonly row: ClaimRow;
  readonly createdAt: Date;
  readonly content: ClaimContent;
}

/** Limits a claim to 2 KB in the database, index entries included (`npm run claims` in bench/). */
const maxContentBytes = 1400;
export const claimContext = 'claim.content';
/** Longer than any browser's; the rest is not stored. */
const maxUserAgentLength = 256;

/**
 * Encrypts the content of a claim.
 *
 * @throws {ApiError} `too_large` if the request is too long to store.
 */
export function sealClaim({ vault }: Service, content: ClaimContent): Buffer {
  const { user_agent } = content.request;
  const request = { ...content.request, ...(user_agent && { user_agent: user_agent.slice(0, maxUserAgentLength) }) };
  const text = JSON.stringify({ ...content, request });
  const bytes = Buffer.byteLength(text);
  if (bytes > maxContentBytes) {
    throw new ApiError('too_large', {
      detail:
        `An evaluation by a page can store at most ${maxContentBytes} bytes, but this one needs ${bytes}. ` +
        'Send `metadata`, `email` and `phone` from your server when it consumes the evaluation.',
    });
  }
  return vault.seal(text, claimContext, { isCompressed: true });
}

/** Decrypts a claim. Returns undefined if its user was erased. */
export function openClaim({ vault }: Pick<Service, 'vault'>, row: ClaimRow): Claim | undefined {
  if (row.status === 'superseded') return undefined;
  const content: ClaimContent = JSON.parse(vault.open(row.content, claimContext));
  return { row, createdAt: timeOfId(row.id), content };
}

/**
 * Returns the name of the user in a claim that requires a challenge.
 *
 * @throws {Error} for a failed attempt, which never requires one.
 */
export function userOfClaim({ content }: Claim): string {
  const { user } = content.request;
  if (user === undefined) throw new Error('A failed attempt has no challenge.');
  return user;
}

/** Returns the blind indexes for finding claims that name a user. The first is the one to store. */
export function claimIndexes(
  { vault }: Pick<Service, 'vault'>,
  worldId: string,
  user: string,
): readonly [Buffer, ...Buffer[]] {
  const index = (fullIndex: Buffer) => fullIndex.subarray(0, indexBytes);
  const [first, ...others] = vault.blindIndexes(user, `claim.user.${worldId}`);
  return [index(first), ...others.map(index)];
}

/** Long enough that two users do not collide within a day's claims. */
const indexBytes = 12;
