import { validate } from 'uuid';
import { createWebhookSecret, ReceiverRefused } from '../../delivery/webhooks/index.js';
import { OperatorError } from '../../operator-error.js';
import type { Database, Service, Transaction } from '../../service.js';
import { lockProjects, worldOf } from '../../store/queries/projects.js';
import {
  deleteEndpoint,
  type EndpointCounts,
  type EndpointRow,
  holdEndpoint,
  insertEndpoint,
  listEndpointRows,
  replaceSecret,
  setEndpointStatus,
} from '../../store/queries/webhook-endpoints.js';
import type { WebhookEndpointStatus, WorldMode } from '../../store/schema.js';
import { findProject } from '../find-project.js';
import { sealSecret } from './secrets.js';

/** Each event costs a row for each of them. */
const MOST_ENDPOINTS = 20;
const MS_PER_HOUR = 3_600_000;

/** The half of a project that an endpoint belongs to. */
export interface WebhookWorld {
  /** Name or id. */
  readonly project: string;
  readonly mode: WorldMode;
}

export interface EndpointChoice extends WebhookWorld {
  readonly endpoint: string;
}

export interface ListedEndpoint extends EndpointCounts {
  readonly id: string;
  readonly url: string;
  readonly status: WebhookEndpointStatus;
  readonly createdAt: Date;
  /** Until when events are signed with the secret before the last rotation too. */
  readonly previousUntil?: Date;
}

/** Shown once: it is kept sealed. */
export interface ShownSecret {
  readonly id: string;
  readonly secret: string;
}

/**
 * Registers an endpoint: all events of its world from now on go there.
 *
 * @throws OperatorError for an address that no webhook may go to, one that is registered already, or a 21st.
 */
export async function addEndpoint(
  service: Service,
  { url, ...world }: WebhookWorld & { url: string },
): Promise<ShownSecret> {
  await refuseReceiver(service, url);
  const secret = createWebhookSecret();
  const id = service.newId();
  await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const worldId = await findWorld(trx, world);
    const there = await listEndpointRows(trx, worldId);
    if (there.some((row) => row.url === url)) throw new OperatorError(`${url} is registered already.`);
    if (there.length >= MOST_ENDPOINTS) {
      throw new OperatorError(`A project has ${MOST_ENDPOINTS} webhook endpoints at most.`);
    }
    await insertEndpoint(trx, { id, worldId, url, secret: sealSecret(service, secret), now: service.now() });
  });
  return { id, secret };
}

/** The oldest first. */
export async function listEndpoints(service: Service, world: WebhookWorld): Promise<ListedEndpoint[]> {
  const now = service.now();
  const rows = await listEndpointRows(service.db, await findWorld(service.db, world));
  return rows.map(({ id, url, status, created_at, previous_until: until, waiting, failed }) => ({
    ...{ id, url, status, waiting, failed, createdAt: created_at },
    ...(until && until > now && { previousUntil: until }),
  }));
}

/** Removes an endpoint with all that waits for it. @throws OperatorError if there is no such endpoint. */
export function removeEndpoint(service: Service, choice: EndpointChoice): Promise<void> {
  return withEndpoint(service, choice, (trx, { id }) => deleteEndpoint(trx, id));
}

/**
 * Gives an endpoint a new secret. Events are signed with the one before too, for so many hours; with the one before
 * that no more.
 *
 * @throws OperatorError if there is no such endpoint.
 */
export function rotateSecret(
  service: Service,
  { keepOldForHours, ...choice }: EndpointChoice & { keepOldForHours: number },
): Promise<ShownSecret> {
  return withEndpoint(service, choice, async (trx, { id, secret: previous }) => {
    const secret = createWebhookSecret();
    const previousUntil = new Date(service.now().getTime() + keepOldForHours * MS_PER_HOUR);
    await replaceSecret(trx, id, { secret: sealSecret(service, secret), previous, previousUntil });
    return { id, secret };
  });
}

/**
 * Switches an endpoint on again that answered 410, or takes it for healthy again. What happened meanwhile can be
 * replayed.
 *
 * @throws OperatorError if there is no such endpoint, or its address is no longer allowed.
 */
export async function enableEndpoint(service: Service, choice: EndpointChoice): Promise<void> {
  const { url } = await withEndpoint(service, choice, async (_trx, row) => row);
  await refuseReceiver(service, url);
  await withEndpoint(service, choice, (trx, { id }) => setEndpointStatus(trx, id, 'healthy', ['failing', 'off']));
}

/** Does something with an endpoint, alone. @throws OperatorError if there is no such endpoint. */
export function withEndpoint<Result>(
  { db }: Service,
  { endpoint, ...world }: EndpointChoice,
  act: (trx: Transaction, row: EndpointRow) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    const worldId = await findWorld(trx, world);
    const row = validate(endpoint) ? await holdEndpoint(trx, worldId, endpoint) : undefined;
    if (!row) throw new OperatorError(`There is no webhook endpoint "${endpoint}": "webhooks list" shows all.`);
    return act(trx, row);
  });
}

async function findWorld(db: Database, { project, mode }: WebhookWorld): Promise<string> {
  return worldOf(db, (await findProject(db, project)).id, mode);
}

async function refuseReceiver({ webhooks }: Service, url: string): Promise<void> {
  await webhooks.check(url).catch((error: unknown) => {
    throw error instanceof ReceiverRefused ? new OperatorError(error.message, { cause: error }) : error;
  });
}
