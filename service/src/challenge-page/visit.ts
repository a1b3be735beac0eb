import { randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { findChallenge } from '../challenges/queries.js';
import { statusAt } from '../challenges/rules/status.js';
import { openClaim } from '../claims/content.js';
import { findClaimOfChallenge } from '../claims/queries.js';
import { hashSecret, verifyChallengeLink } from '../crypto/index.js';
import { readWorlds } from '../jobs/worlds.js';
import type { Settings } from '../projects/rules/settings.js';
import type { Caller, Service } from '../service.js';
import { readReturnAddress } from './rules.js';
import { findVisitRow, insertVisit, type VisitRow } from './visits-queries.js';

/** How long a visit lasts. */
export const visitLifetimeSeconds = 3600;

const sessionBytes = 32;
const returnContext = 'challenge_visit.return_url';

/** Somebody at the managed challenge page. */
export interface Visit {
  readonly row: VisitRow;
  /** The page acts for the project, as its server would. */
  readonly caller: Caller;
}

/**
 * Uses a link up, and begins a visit. Answers the session that the browser keeps; undefined where the link is no good:
 * used before, too old, of another challenge, or of a project that has the page switched off.
 */
export async function beginVisit(
  service: Service,
  link: { readonly challengeId: string; readonly token: string; readonly returnUrl: string | undefined },
): Promise<string | undefined> {
  const { challengeId, token } = link;
  const { db, vault } = service;
  const now = service.now();
  const read = isUuid(challengeId) ? verifyChallengeLink(vault, challengeId, token, now) : undefined;
  const caller = read && (await findPageCaller(service, read.worldId));
  if (!read || !caller || !(await hasChallenge(service, read.worldId, challengeId))) return undefined;
  const session = randomBytes(sessionBytes).toString('base64url');
  const returnUrl = readReturnAddress(link.returnUrl, returnAddresses(caller.settings));
  const isNew = await insertVisit(db, {
    id: service.newId(),
    world_id: read.worldId,
    challenge_id: challengeId,
    link_hash: hashSecret(token),
    session_hash: hashSecret(session),
    claimed: read.isClaim,
    return_url: returnUrl === undefined ? null : vault.seal(returnUrl, returnContext),
    notice: null,
    created_at: now,
    expires_at: new Date(now.getTime() + visitLifetimeSeconds * 1000),
  });
  return isNew ? session : undefined;
}

/** The visit of a session to a challenge; undefined where it is over, or was none. */
export async function findVisit(
  service: Service,
  challengeId: string,
  session: string | undefined,
): Promise<Visit | undefined> {
  if (session === undefined || !isUuid(challengeId)) return undefined;
  const row = await findVisitRow(service.db, { challengeId, sessionHash: hashSecret(session), now: service.now() });
  const caller = row && (await findPageCaller(service, row.world_id));
  return row && caller && { row, caller };
}

/** Where the person goes in the end. Asked again, for the project's list may have changed. */
export function returnUrlOf({ vault }: Service, { row, caller }: Visit): string | undefined {
  const kept = row.return_url === null ? undefined : vault.open(row.return_url, returnContext);
  return readReturnAddress(kept, returnAddresses(caller.settings));
}

/**
 * Whether the visitor has shown who it is: its link came from the project's server, which had let it that far, or it has
 * entered a code that went to the user. Before that, nothing of the user is shown.
 */
export function isKnown({ row }: Visit): boolean {
  return !row.claimed || row.verified_at !== null;
}

/** An open challenge, or the claim that it still is, as far as a visitor who has shown nothing yet may use it. */
export interface OpenChallenge {
  /** The user as it is named there. */
  readonly externalUser: string;
  /** Where the evaluation came from. */
  readonly ip: string | undefined;
}

/** Finds the open challenge of a visit; undefined where it is closed. Changes nothing. */
export async function findOpenChallenge(service: Service, { row, caller }: Visit): Promise<OpenChallenge | undefined> {
  const { db } = service;
  const now = service.now();
  const challenge = await findChallenge(db, caller.worldId, row.challenge_id);
  if (challenge) {
    const isOpen = statusAt(challenge, now) === 'pending';
    return isOpen ? { externalUser: challenge.external_user, ip: challenge.ip ?? undefined } : undefined;
  }
  const found = await findClaimOfChallenge(db, caller.worldId, row.challenge_id);
  const claim = found && openClaim(service, found);
  if (claim?.row.status !== 'open' || now >= new Date(claim.content.expires_at)) return undefined;
  const { user, ip } = claim.content.request;
  return { externalUser: user, ip };
}

async function hasChallenge({ db }: Service, worldId: string, id: string): Promise<boolean> {
  return Boolean((await findChallenge(db, worldId, id)) ?? (await findClaimOfChallenge(db, worldId, id)));
}

function returnAddresses({ allowed_origins, challenge_page }: Settings): string[] {
  return [...allowed_origins, ...challenge_page.return_addresses];
}

async function findPageCaller({ db }: Service, worldId: string): Promise<Caller | undefined> {
  const [world] = await readWorlds(db, worldId);
  if (!world?.settings.managed_challenge_page) return undefined;
  return { keyId: 'challenge-page', kind: 'secret', ...world };
}
