import { randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { openClaim, userOfClaim } from '../evaluation/claims/content.js';
import { findClaimOfChallenge } from '../evaluation/claims/queries.js';
import { hashSecret, verifyChallengeLink } from '../ground/crypto/index.js';
import { hourSeconds } from '../ground/time.js';
import { findChallenge } from '../resources/challenges/queries.js';
import { needsOwnFactor } from '../resources/challenges/rules/own-factor.js';
import { statusAt } from '../resources/challenges/rules/states.js';
import { findVisitRow, insertVisit, type VisitRow } from '../resources/challenges/visits-queries.js';
import { readReturnAddress } from '../resources/projects/rules/return-addresses.js';
import type { Settings } from '../resources/projects/rules/settings.js';
import { readWorlds } from '../resources/projects/worlds.js';
import type { Caller, Service } from '../resources/service.js';

/** Lifetime of a visit. */
export const visitLifetimeSeconds = hourSeconds;

const sessionBytes = 32;
const returnContext = 'challenge_visit.return_url';

/** Visit to the managed challenge page. */
export interface Visit {
  readonly row: VisitRow;
  /** Acts for the project with the permissions of its server. */
  readonly caller: Caller;
}

/**
 * Uses a link and begins a visit. Returns the session token for the browser. Returns undefined if the link is invalid:
 * already used, expired, for another challenge, or of a project that has disabled the page.
 */
export async function beginVisit(
  service: Service,
  link: { readonly challengeId: string; readonly token: string; readonly returnUrl: string | undefined },
): Promise<string | undefined> {
  const { challengeId, token } = link;
  const { db, vault } = service;
  const now = service.now();
  const read = isUuid(challengeId) ? verifyChallengeLink(vault, challengeId, token, now) : undefined;
  const caller = read && (await findVisitCaller(service, read.worldId));
  if (!read || !caller || !(await hasChallenge(service, read.worldId, challengeId))) return undefined;
  const session = `${read.worldId}.${randomBytes(sessionBytes).toString('base64url')}`;
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

/** Returns the visit of a session to a challenge. Returns undefined if it has expired or does not exist. */
export async function findVisit(
  service: Service,
  challengeId: string,
  session: string | undefined,
): Promise<Visit | undefined> {
  // A session begins with its world's ID, so that only that world is searched.
  const [worldId = ''] = session?.split('.') ?? [];
  if (session === undefined || !isUuid(worldId) || !isUuid(challengeId)) return undefined;
  const row = await findVisitRow(service.db, {
    worldId,
    challengeId,
    sessionHash: hashSecret(session),
    now: service.now(),
  });
  const caller = row && (await findVisitCaller(service, row.world_id));
  return row && caller && { row, caller };
}

/** Returns the return URL of a visit once the challenge is completed, if there is one. */
export async function returnUrlWhenCompleted(service: Service, visit: Visit): Promise<string | undefined> {
  const { row, caller } = visit;
  const challenge = await findChallenge(service.db, caller.worldId, row.challenge_id);
  return challenge?.status === 'completed' ? returnUrlOf(service, visit) : undefined;
}

/** Returns the return URL of a visit. It is checked again, because the project's list can change. */
export function returnUrlOf({ vault }: Service, { row, caller }: Visit): string | undefined {
  const stored = row.return_url === null ? undefined : vault.open(row.return_url, returnContext);
  return readReturnAddress(stored, returnAddresses(caller.settings));
}

/**
 * Returns whether the visitor is verified: the link came from the project's server, or the visitor entered a code that
 * was sent to the user. Unverified visitors see nothing about the user.
 */
export function isVerified({ row }: Visit): boolean {
  return !row.claimed || row.verified_at !== null;
}

/** Data of an open challenge or claim that the page may use for an unverified visitor. */
export interface OpenChallenge {
  /** External ID of the user. */
  readonly externalUser: string;
  /** IP address of the evaluation. */
  readonly ip: string | undefined;
  /** Whether no code may be sent for it. */
  readonly needsOwnFactor: boolean;
}

/** Finds the open challenge of a visit without changing anything. Returns undefined if it is closed. */
export async function findOpenChallenge(service: Service, { row, caller }: Visit): Promise<OpenChallenge | undefined> {
  const { db } = service;
  const now = service.now();
  const challenge = await findChallenge(db, caller.worldId, row.challenge_id);
  if (challenge) {
    if (statusAt(challenge, now) !== 'pending') return undefined;
    return {
      externalUser: challenge.external_user,
      ip: challenge.ip ?? undefined,
      needsOwnFactor: needsOwnFactor(caller.settings, challenge),
    };
  }
  const found = await findClaimOfChallenge(db, caller.worldId, row.challenge_id);
  const claim = found && openClaim(service, found);
  if (claim?.row.status !== 'open' || now >= new Date(claim.content.expires_at)) return undefined;
  const reasons = claim.content.findings.map(({ reason }) => reason);
  return {
    externalUser: userOfClaim(claim),
    ip: claim.content.request.ip,
    needsOwnFactor: needsOwnFactor(caller.settings, { methods: null, reasons }),
  };
}

async function hasChallenge({ db }: Service, worldId: string, id: string): Promise<boolean> {
  return Boolean((await findChallenge(db, worldId, id)) ?? (await findClaimOfChallenge(db, worldId, id)));
}

function returnAddresses({ allowed_origins, challenge_page }: Settings): string[] {
  return [...allowed_origins, ...challenge_page.return_addresses];
}

/** Returns the caller as which a page acts in a world: with the permissions of the project's server. */
export async function findPageCaller({ db }: Service, worldId: string): Promise<Caller | undefined> {
  const [world] = await readWorlds(db, worldId);
  return world && { keyId: 'challenge-page', kind: 'secret', ...world };
}

async function findVisitCaller(service: Service, worldId: string): Promise<Caller | undefined> {
  const caller = await findPageCaller(service, worldId);
  return caller?.settings.managed_challenge_page ? caller : undefined;
}
