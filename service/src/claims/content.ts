import type { MatchedBy, ProofOutcome, ReasonEvidence, Verdict } from 'whorl/wire';
import { ApiError } from '../errors.js';
import type { SealedRequest } from '../evaluation/sealed-request.js';
import { timeOfId } from '../ids.js';
import type { Service } from '../service.js';
import type { ClaimRow } from './queries.js';

/** What a claim keeps: the request, and what came of it. */
export interface ClaimContent {
  readonly request: SealedRequest & { readonly user: string; readonly action: string; readonly ip?: string };
  /** Whether the address may have been that of a proxy which was not named. */
  readonly is_address_shared?: true;
  readonly verdict: Verdict;
  readonly observed_verdict?: Verdict;
  readonly findings: ReasonEvidence[];
  readonly fingerprint_id: string;
  readonly confidence: number;
  readonly matched_by: MatchedBy;
  readonly changed: readonly string[];
  readonly proof?: ProofOutcome;
  readonly key_thumbprint?: string;
  /** The id of the user, where it exists; where not, the one that it will get if this claim creates it. */
  readonly user_id: string;
  /** The user's count of revocations at the time: see UserTable. */
  readonly revocations: number;
  /** When the claim's challenge expires. */
  readonly expires_at: string;
}

/** A claim whose user was not erased. */
export interface Claim {
  readonly row: ClaimRow;
  readonly createdAt: Date;
  readonly content: ClaimContent;
}

/** So that a claim takes at most 2 KB in the database, its index entries included (`npm run claims` in bench/). */
const mostContentBytes = 1400;
export const claimContext = 'claim.content';
/** Longer than any browser sends; what is beyond is not kept. */
const mostUserAgent = 256;

/**
 * Seals what a claim keeps.
 *
 * @throws {ApiError} `too_large` where the request is too long to keep.
 */
export function sealClaim({ vault }: Service, content: ClaimContent): Buffer {
  const { user_agent } = content.request;
  const request = { ...content.request, ...(user_agent && { user_agent: user_agent.slice(0, mostUserAgent) }) };
  const text = JSON.stringify({ ...content, request });
  const bytes = Buffer.byteLength(text);
  if (bytes > mostContentBytes) {
    throw new ApiError('too_large', {
      detail:
        `An evaluation by a page keeps at most ${mostContentBytes} bytes; this one would take ${bytes}. ` +
        'Send `metadata`, `email` and `phone` from your server, when it consumes the evaluation.',
    });
  }
  return vault.seal(text, claimContext);
}

/** Opens a claim; undefined where its user was erased. */
export function openClaim({ vault }: Service, row: ClaimRow): Claim | undefined {
  if (row.status === 'superseded') return undefined;
  const content: ClaimContent = JSON.parse(vault.open(row.content, claimContext));
  return { row, createdAt: timeOfId(row.id), content };
}

/** Returns the blind indexes under which claims that name a user are found, the one to store first. */
export function claimIndexes(
  { vault }: Pick<Service, 'vault'>,
  worldId: string,
  user: string,
): readonly [Buffer, ...Buffer[]] {
  const index = (mark: Buffer) => mark.subarray(0, indexBytes);
  const [first, ...others] = vault.marks(user, `claim.user.${worldId}`);
  return [index(first), ...others.map(index)];
}

/** Enough that two users do not share one, in any day's claims. */
const indexBytes = 12;
