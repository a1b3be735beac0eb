import { validate as isUuid } from 'uuid';
import type { ReplicaState } from '../ground/db/replica/replica.js';
import { forwarders } from '../resources/addresses/forwarders.js';
import { findWorldRow } from '../resources/projects/queries/world-rows.js';
import { toWorld } from '../resources/projects/worlds.js';
import type { Caller, Service } from '../resources/service.js';

/** Returns a caller with the permissions of a secret key for a world, or undefined if the world does not exist. */
export async function findDashboardCaller(
  { db }: Service,
  projectId: string,
  mode: string,
): Promise<Caller | undefined> {
  if (!isUuid(projectId) || (mode !== 'live' && mode !== 'test')) return undefined;
  const row = await findWorldRow(db, projectId, mode);
  return row && { keyId: 'dashboard', kind: 'secret', ...toWorld(row) };
}

/** State of the service and problems with its configuration, shown on each page of the dashboard. */
export interface Conditions {
  /** Whether email is configured. */
  readonly hasMail: boolean;
  /** Networks that recently sent `X-Forwarded-For` but are not trusted proxies, most recent first. */
  readonly forwarders: readonly string[];
  /** State of the read replica. Absent if none is configured. */
  readonly replica?: ReplicaState;
}

export async function readConditions(service: Service): Promise<Conditions> {
  const { db, sender, replica } = service;
  return {
    hasMail: sender.channels.has('email'),
    forwarders: await forwarders(db, service),
    ...(replica && { replica: replica.state }),
  };
}
