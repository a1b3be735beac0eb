import { validate as isUuid } from 'uuid';
import { findWorldRow } from '../db/worlds.js';
import { forwarders } from '../http/forwarders.js';
import { toWorld } from '../jobs/worlds.js';
import type { Caller, Service } from '../service.js';

/** A project's live or test half, as a secret key would open it; undefined where there is none. */
export async function findDashboardCaller(
  { db }: Service,
  projectId: string,
  mode: string,
): Promise<Caller | undefined> {
  if (!isUuid(projectId) || (mode !== 'live' && mode !== 'test')) return undefined;
  const row = await findWorldRow(db, projectId, mode);
  return row && { keyId: 'dashboard', kind: 'secret', ...toWorld(row) };
}

/** What is wrong with how the service is set up: each page of the dashboard says so. */
export interface Conditions {
  /** Whether mail can be sent. */
  readonly hasMail: boolean;
  /** Networks that lately sent `X-Forwarded-For`, and are not among the trusted proxies; the latest first. */
  readonly forwarders: readonly string[];
}

export async function readConditions(service: Service): Promise<Conditions> {
  return { hasMail: service.sender.channels.has('email'), forwarders: await forwarders(service.db, service) };
}
