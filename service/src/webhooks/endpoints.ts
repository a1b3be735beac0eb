import { createHash } from 'node:crypto';
import { validate } from 'uuid';
import type { WebhookEndpointStatus, WorldMode } from '../db/schema/index.js';
import { OperatorError } from '../operator-error.js';
import { findProject } from '../projects/find-project.js';
import { lockProjects, worldOf } from '../projects/queries/projects.js';
import { type Change, logChanges } from '../projects/setting-log.js';
import type { Database, Service, Transaction } from '../service.js';
import { hourMs } from '../time.js';
import { ReceiverRefused } from './client.js';
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
import { openSecret, sealSecret } from './secrets.js';
import { createWebhookSecret } from './sign.js';

/** Each event costs a row for each of them. */
const MOST_ENDPOINTS = 20;

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
  /** Another one after each rotation of the secret. */
  readonly secretMark: string;
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
  { url, changedBy, ...world }: WebhookWorld & Change & { url: string },
): Promise<ShownSecret> {
  await refuseReceiver(service, url);
  const secret = createWebhookSecret();
  const id = service.newId();
  await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const { projectId, worldId } = await findWorld(trx, world);
    const there = await listEndpointRows(trx, worldId);
    if (there.some((row) => row.url === url)) throw new OperatorError(`${url} is registered already.`);
    if (there.length >= MOST_ENDPOINTS) {
      throw new OperatorError(`A project has ${MOST_ENDPOINTS} webhook endpoints at most.`);
    }
    await insertEndpoint(trx, { id, worldId, url, secret: sealSecret(service, secret), now: service.now() });
    const changes = { webhook_added: { from: null, to: nameOf(url, world) } };
    await logChanges(trx, service, { projectId, changedBy, changes });
  });
  return { id, secret };
}

/** The oldest first. */
export async function listEndpoints(service: Service, world: WebhookWorld): Promise<ListedEndpoint[]> {
  const { worldId } = await findWorld(service.db, world);
  const rows = await listEndpointRows(service.db, worldId);
  return rows.map((row) => toListed(service, row));
}

/** One of them; undefined where the world has none of this id. */
export async function findListedEndpoint(
  service: Service,
  { endpoint, ...world }: EndpointChoice,
): Promise<ListedEndpoint | undefined> {
  if (!validate(endpoint)) return undefined;
  const { worldId } = await findWorld(service.db, world);
  const [row] = await listEndpointRows(service.db, worldId, endpoint);
  return row && toListed(service, row);
}

/** Removes an endpoint with all that waits for it. @throws OperatorError if there is no such endpoint. */
export function removeEndpoint(service: Service, choice: EndpointChoice & Change): Promise<void> {
  return withEndpoint(service, choice, async (trx, { id, url }, projectId) => {
    await deleteEndpoint(trx, id);
    const changes = { webhook_removed: { from: nameOf(url, choice), to: null } };
    await logChanges(trx, service, { projectId, changedBy: choice.changedBy, changes });
  });
}

/**
 * Gives an endpoint a new secret. Events are signed with the one before too, for so many hours; with the one before
 * that no more.
 *
 * @param input.secretMark Of the secret that is rotated, where it matters: another one must not have taken its place.
 * @throws OperatorError if there is no such endpoint, or it has another secret by now.
 */
export function rotateSecret(
  service: Service,
  input: EndpointChoice & Change & { keepOldForHours: number; secretMark?: string },
): Promise<ShownSecret> {
  const { keepOldForHours, secretMark, changedBy } = input;
  return withEndpoint(service, input, async (trx, { id, url, secret: previous }, projectId) => {
    if (secretMark !== undefined && secretMark !== markOf(service, previous)) {
      throw new OperatorError('The secret has been rotated meanwhile.');
    }
    const secret = createWebhookSecret();
    const previousUntil = new Date(service.now().getTime() + keepOldForHours * hourMs);
    await replaceSecret(trx, id, { secret: sealSecret(service, secret), previous, previousUntil });
    const changes = { webhook_secret_rotated: { from: null, to: nameOf(url, input) } };
    await logChanges(trx, service, { projectId, changedBy, changes });
    return { id, secret };
  });
}

/**
 * Switches an endpoint on again that answered 410, or takes it for healthy again. What happened meanwhile can be
 * replayed.
 *
 * @throws OperatorError if there is no such endpoint, or its address is no longer allowed.
 */
export async function enableEndpoint(service: Service, choice: EndpointChoice & Change): Promise<void> {
  const { url } = await withEndpoint(service, choice, async (_trx, row) => row);
  await refuseReceiver(service, url);
  await withEndpoint(service, choice, async (trx, { id, status }, projectId) => {
    await setEndpointStatus(trx, id, 'healthy', ['failing', 'off']);
    if (status === 'healthy') return;
    const changes = { webhook_enabled: { from: null, to: nameOf(url, choice) } };
    await logChanges(trx, service, { projectId, changedBy: choice.changedBy, changes });
  });
}

/** Does something with an endpoint, alone. @throws OperatorError if there is no such endpoint. */
export function withEndpoint<Result>(
  { db }: Service,
  { endpoint, project, mode }: EndpointChoice,
  act: (trx: Transaction, row: EndpointRow, projectId: string) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    const { projectId, worldId } = await findWorld(trx, { project, mode });
    const row = validate(endpoint) ? await holdEndpoint(trx, worldId, endpoint) : undefined;
    if (!row) throw new OperatorError(`There is no webhook endpoint "${endpoint}": "webhooks list" shows all.`);
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
    ...{ id, url, status, waiting, failed, createdAt: created_at, secretMark: markOf(service, secret) },
    ...(until && until > service.now() && { previousUntil: until }),
  };
}

/** Names a secret without revealing it, the same also after a reseal: it has 256 random bits. */
function markOf(service: Service, sealed: Uint8Array): string {
  return createHash('sha256').update(openSecret(service, sealed)).digest('base64url').slice(0, 22);
}

/** For the log. What stands in the query can be a secret of the receiver. */
function nameOf(url: string, { mode }: WebhookWorld): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname} (${mode})`;
}

/** @throws OperatorError for an address that no webhook may go to. */
export async function refuseReceiver({ webhooks }: Service, url: string): Promise<void> {
  await webhooks.check(url).catch((error: unknown) => {
    throw error instanceof ReceiverRefused ? new OperatorError(error.message, { cause: error }) : error;
  });
}
