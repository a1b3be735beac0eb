import { createHash } from 'node:crypto';
import { validate } from 'uuid';
import type { WebhookEndpointStatus, WorldMode } from '../../ground/db/schema/index.js';
import { OperatorError } from '../../ground/operator-error.js';
import { hourMs } from '../../ground/time.js';
import { ReceiverRefused } from '../../resources/events/webhook-client.js';
import { findProject } from '../../resources/projects/find-project.js';
import { lockProjects, worldOf } from '../../resources/projects/queries/projects.js';
import { type Change, logChanges } from '../../resources/projects/setting-log.js';
import type { Database, Service, Transaction } from '../../resources/service.js';
import {
  deleteEndpoint,
  type EndpointCounts,
  type EndpointRow,
  holdEndpoint,
  insertEndpoint,
  listEndpointRows,
  replaceSecret,
  setEndpointStatus,
} from './queries/webhook-endpoints.js';
import { maxEndpoints, withoutQuery } from './rules/endpoint-urls.js';
import { openSecret, sealSecret } from './secrets.js';
import { createWebhookSecret } from './sign.js';

/** Live or test world of the project that an endpoint belongs to. */
export interface WebhookWorld {
  /** Name or ID. */
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
  /** Time until which events are also signed with the secret from before the last rotation. */
  readonly previousUntil?: Date;
  /** Identifier of the current secret; it changes with each rotation. */
  readonly secretMark: string;
}

/** Secret in clear text, shown only once. It is stored encrypted. */
export interface ShownSecret {
  readonly id: string;
  readonly secret: string;
}

/**
 * Registers an endpoint. It receives all events that its world emits from now on.
 *
 * @throws OperatorError if webhooks may not be sent to this address, if it is already registered, or if the project
 *   already has 20 endpoints.
 */
export async function addEndpoint(
  service: Service,
  { url, changedBy, network, ...world }: WebhookWorld & Change & { url: string },
): Promise<ShownSecret> {
  await refuseReceiver(service, url);
  const secret = createWebhookSecret();
  const id = service.newId();
  await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const { projectId, worldId } = await findWorld(trx, world);
    const existing = await listEndpointRows(trx, worldId);
    if (existing.some((row) => row.url === url)) throw new OperatorError(`${url} is already registered.`);
    if (existing.length >= maxEndpoints) {
      throw new OperatorError(`There are already ${maxEndpoints} webhook endpoints, the maximum. Remove one first.`);
    }
    await writeEndpoint(trx, service, { id, worldId, projectId, mode: world.mode, url, secret, changedBy, network });
  });
  return { id, secret };
}

export interface NewEndpoint extends Change {
  readonly id: string;
  readonly projectId: string;
  readonly worldId: string;
  readonly mode: WorldMode;
  /** Address that `refuseReceiver` accepts. */
  readonly url: string;
  /** In clear text. */
  readonly secret: string;
}

/** Stores a new endpoint and records it in the audit log. Call it with changes to projects locked. */
export async function writeEndpoint(trx: Transaction, service: Service, endpoint: NewEndpoint): Promise<void> {
  const { id, worldId, projectId, url, secret, changedBy, network } = endpoint;
  await insertEndpoint(trx, { id, worldId, url, secret: sealSecret(service, secret), now: service.now() });
  const changes = { webhook_added: { from: null, to: nameOf(url, endpoint) } };
  await logChanges(trx, service, { projectId, changedBy, network, changes });
}

/** Returns the endpoints of a world, the oldest first. */
export async function listEndpoints(service: Service, world: WebhookWorld): Promise<ListedEndpoint[]> {
  const { worldId } = await findWorld(service.db, world);
  const rows = await listEndpointRows(service.db, worldId);
  return rows.map((row) => toListed(service, row));
}

/** Returns one endpoint; undefined if the world has none with this ID. */
export async function findListedEndpoint(
  service: Service,
  { endpoint, ...world }: EndpointChoice,
): Promise<ListedEndpoint | undefined> {
  if (!validate(endpoint)) return undefined;
  const { worldId } = await findWorld(service.db, world);
  const [row] = await listEndpointRows(service.db, worldId, endpoint);
  return row && toListed(service, row);
}

/** Deletes an endpoint and its waiting deliveries. @throws OperatorError if the endpoint does not exist. */
export function removeEndpoint(service: Service, choice: EndpointChoice & Change): Promise<void> {
  const { mode, changedBy, network } = choice;
  return withEndpoint(service, choice, (trx, row, projectId) =>
    eraseEndpoint(trx, service, { row, projectId, mode, changedBy, network }),
  );
}

/** Deletes an endpoint and its waiting deliveries, and records it in the audit log. */
export async function eraseEndpoint(
  trx: Transaction,
  service: Service,
  { row, projectId, mode, changedBy, network }: Change & { row: EndpointRow; projectId: string; mode: WorldMode },
): Promise<void> {
  await deleteEndpoint(trx, row.world_id, row.id);
  const changes = { webhook_removed: { from: nameOf(row.url, { mode }), to: null } };
  await logChanges(trx, service, { projectId, changedBy, network, changes });
}

/**
 * Replaces an endpoint's secret. For `keepOldForHours`, events are signed with the previous secret as well; any older
 * secret stops working at once.
 *
 * @param input.secretMark Identifier of the secret to rotate. If it is given, the rotation fails when that secret is
 *   no longer the current one.
 * @throws OperatorError if the endpoint does not exist, or its secret has changed.
 */
export function rotateSecret(
  service: Service,
  input: EndpointChoice & Change & { keepOldForHours: number; secretMark?: string },
): Promise<ShownSecret> {
  const { keepOldForHours, secretMark, changedBy, network } = input;
  return withEndpoint(service, input, async (trx, row, projectId) => {
    const { id, url, secret: previous } = row;
    if (secretMark !== undefined && secretMark !== markOf(service, previous)) {
      throw new OperatorError('The secret was rotated in the meantime. Reload it and try again.');
    }
    const secret = createWebhookSecret();
    const previousUntil = new Date(service.now().getTime() + keepOldForHours * hourMs);
    await replaceSecret(trx, row, { secret: sealSecret(service, secret), previous, previousUntil });
    const changes = { webhook_secret_rotated: { from: null, to: nameOf(url, input) } };
    await logChanges(trx, service, { projectId, changedBy, network, changes });
    return { id, secret };
  });
}

/**
 * Switches an endpoint on again after it responded with 410, or marks a failing one as healthy. Events that it missed
 * can be replayed.
 *
 * @throws OperatorError if the endpoint does not exist, or its address is no longer allowed.
 */
export async function enableEndpoint(service: Service, choice: EndpointChoice & Change): Promise<void> {
  const { url } = await withEndpoint(service, choice, async (_trx, row) => row);
  await refuseReceiver(service, url);
  await withEndpoint(service, choice, async (trx, row, projectId) => {
    const { status } = row;
    await setEndpointStatus(trx, row, 'healthy', ['failing', 'off']);
    if (status === 'healthy') return;
    const changes = { webhook_enabled: { from: null, to: nameOf(url, choice) } };
    await logChanges(trx, service, { projectId, changedBy: choice.changedBy, network: choice.network, changes });
  });
}

/**
 * Runs an operation on an endpoint that is locked for its transaction. @throws OperatorError if the endpoint does not
 * exist.
 */
export function withEndpoint<Result>(
  { db }: Service,
  { endpoint, project, mode }: EndpointChoice,
  act: (trx: Transaction, row: EndpointRow, projectId: string) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    const { projectId, worldId } = await findWorld(trx, { project, mode });
    const row = validate(endpoint) ? await holdEndpoint(trx, worldId, endpoint) : undefined;
    if (!row)
      throw new OperatorError(`There is no webhook endpoint "${endpoint}". "webhooks list" shows all endpoints.`);
    return act(trx, row, projectId);
  });
}

async function findWorld(db: Database, { project, mode }: WebhookWorld) {
  const { id: projectId } = await findProject(db, project);
  return { projectId, worldId: await worldOf(db, projectId, mode) };
}

function toListed(service: Service, row: EndpointRow & EndpointCounts): ListedEndpoint {
  const { id, url, status, created_at, secret, previous_until: until, waiting, failed } = row;
  return {
    id,
    url,
    status,
    waiting,
    failed,
    createdAt: created_at,
    secretMark: markOf(service, secret),
    ...(until && until > service.now() && { previousUntil: until }),
  };
}

/**
 * Identifies a secret without revealing it. The value does not change when the secret is resealed. A hash is safe
 * because the secret has 256 random bits.
 */
function markOf(service: Service, sealed: Uint8Array): string {
  return createHash('sha256').update(openSecret(service, sealed)).digest('base64url').slice(0, 22);
}

/** Describes an endpoint for the audit log, without the query, which may contain a secret of the receiver. */
function nameOf(url: string, { mode }: Pick<WebhookWorld, 'mode'>): string {
  return `${withoutQuery(url)} (${mode})`;
}

/** Throws an OperatorError if webhooks may not be sent to an address. */
export async function refuseReceiver({ webhooks }: Service, url: string): Promise<void> {
  await webhooks.check(url).catch((error: unknown) => {
    throw error instanceof ReceiverRefused ? new OperatorError(error.message, { cause: error }) : error;
  });
}
