import { ApiError } from '../../errors.js';
import { findListedEndpoint, type ListedEndpoint } from '../../webhooks/endpoints.js';
import type { DashboardVisit } from '../visit.js';

/** A visit's half of a project, as operations on webhooks take it. */
export function worldOf({ world }: DashboardVisit) {
  return { project: world.projectId, mode: world.mode };
}

/**
 * The webhook endpoint of a visit's path.
 *
 * @throws {ApiError} `not_found`
 */
export async function endpointOf(visit: DashboardVisit): Promise<ListedEndpoint> {
  const choice = { ...worldOf(visit), endpoint: visit.params.endpoint ?? '' };
  const found = await findListedEndpoint(visit.service, choice);
  if (found) return found;
  throw new ApiError('not_found', { detail: 'There is no such webhook endpoint.' });
}
