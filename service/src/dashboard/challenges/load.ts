import { validate as isUuid } from 'uuid';
import type { Device, UserSummary } from 'whorl/wire';
import {
  type Position,
  partSize,
  positionOfCreation,
  type ScannedPart,
  scannedPart,
} from '../../ground/db/position-rules.js';
import { type ChallengeRow, findChallenge } from '../../resources/challenges/queries.js';
import { channelsOf } from '../../resources/challenges/rules/channels.js';
import { needsOwnFactor } from '../../resources/challenges/rules/own-factor.js';
import { statusAt } from '../../resources/challenges/rules/states.js';
import type { ListedChallengeRow } from '../../resources/challenges/search/queries.js';
import { type ChallengeQuery, findMatchingChallenges } from '../../resources/challenges/search/search.js';
import { toDevice } from '../../resources/devices/present.js';
import { findDevice } from '../../resources/devices/queries/devices.js';
import type { Caller, Service } from '../../resources/service.js';
import { toUserSummary } from '../../resources/users/present.js';
import { findUserById } from '../../resources/users/queries/users.js';
import { type LeadingEvaluation, listLeadingEvaluations } from './queries.js';

/** Reads challenges that match all filters, newest first. */
export async function listDashboardChallenges(
  service: Service,
  caller: Caller,
  query: ChallengeQuery,
  from: Position,
): Promise<ScannedPart<ListedChallengeRow>> {
  const found = await findMatchingChallenges(service, caller, query, { from, limit: partSize + 1 });
  return scannedPart(found, positionOfCreation);
}

/** Data of a challenge's page. It never contains the code. */
export interface ShownChallenge {
  readonly challenge: Omit<ChallengeRow, 'code_hash'>;
  readonly user: UserSummary | undefined;
  /** Channels on which the user can receive a code. */
  readonly channels: readonly string[];
  /** Whether no code may be sent, because the application verifies the user. */
  readonly needsOwnFactor: boolean;
  readonly device: Device | undefined;
  readonly evaluations: readonly LeadingEvaluation[];
}

const maxEvaluations = 10;

/**
 * Reads a challenge with its user, device and evaluations. Returns undefined if the world has no challenge with this
 * ID.
 */
export async function showChallenge(service: Service, caller: Caller, id: string): Promise<ShownChallenge | undefined> {
  const { db } = service;
  const { worldId } = caller;
  const row = isUuid(id) ? await findChallenge(db, worldId, id) : undefined;
  if (!row) return undefined;
  const [user, device, evaluations] = await Promise.all([
    row.user_id === null ? undefined : findUserById(db, worldId, row.user_id),
    row.device_id === null ? undefined : findDevice(db, worldId, row.device_id),
    listLeadingEvaluations(db, row, maxEvaluations),
  ]);
  const { code_hash: _, ...challenge } = row;
  return {
    challenge: { ...challenge, status: statusAt(row, service.now()) },
    user: user && toUserSummary(service, user),
    channels: user ? channelsOf(user, service.sender.channels) : [],
    needsOwnFactor: needsOwnFactor(caller.settings, row),
    device: device && user && toDevice(caller, device, user),
    evaluations,
  };
}
