import { Webhook } from 'standardwebhooks';
import type { EventType } from 'whorl/wire';
import {
  addEndpoint,
  deliverTo,
  dueEndpoints,
  type EndpointChoice,
  type EndpointKey,
  type ListedEndpoint,
  listAttempts,
  listEndpoints,
  recordEvent,
  type Service,
  worldOf,
} from '../../src/testing.js';
import type { Received, Receiver } from './receiver.js';
import type { TestProject, TestService } from './service.js';

/** Operations of an operator and a worker on the live endpoints of a project. */
export interface Webhooks {
  readonly world: { readonly project: string; readonly mode: 'live' };
  add(url: string): Promise<{ id: string; secret: string }>;
  choose(endpoint: string): EndpointChoice;
  /** Returns the primary key of an endpoint. */
  keyOf(endpoint: string): Promise<EndpointKey>;
  list(): Promise<ListedEndpoint[]>;
  /** Returns the outcome of each attempt, newest first. */
  attempts(endpoint: string): Promise<(number | string)[]>;
  /** Makes one delivery attempt for each endpoint that is due. */
  deliver(): Promise<void>;
  /** Emits events about a user of the project. Returns their IDs. */
  emit(count: number, type?: EventType): Promise<string[]>;
}

export function webhooksOf(service: Service, { project }: TestProject): Webhooks {
  const world = { project: project.id, mode: 'live' } as const;
  const choose = (endpoint: string) => ({ ...world, endpoint });
  return {
    world,
    choose,
    keyOf: async (endpointId) => ({ worldId: await worldOf(service.db, project.id, 'live'), endpointId }),
    add: (url) => addEndpoint(service, { ...world, url }),
    list: () => listEndpoints(service, world),
    async attempts(endpoint) {
      const rows = await listAttempts(service, choose(endpoint), 100);
      return rows.map(({ status, failure }) => status ?? failure ?? 'none');
    },
    async deliver() {
      await Promise.all((await dueEndpoints(service)).map((key) => deliverTo(service, key)));
    },
    emit: (count, type = 'device.detached') => emitEvents(service, project.id, count, type),
  };
}

/** Sets the clock to the receivers' time and deletes the endpoints of other tests. */
export async function forgetEndpoints({ clock, db }: TestService, receiver: Receiver): Promise<void> {
  clock.advance(Date.now() - clock.now().getTime());
  await db.deleteFrom('webhook_endpoints').execute();
  receiver.clear();
}

async function emitEvents(service: Service, projectId: string, count: number, type: EventType): Promise<string[]> {
  const user = await service.db
    .selectFrom('users')
    .innerJoin('worlds', 'worlds.id', 'users.world_id')
    .select(['users.id', 'worlds.id as world_id'])
    .where('worlds.project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, () => service.newId());
  await service.db.transaction().execute(async (trx) => {
    for (const id of ids) {
      const event = {
        id,
        worldId: user.world_id,
        type,
        userId: user.id,
        data: { number: id },
        createdAt: service.now(),
      };
      await recordEvent(trx, event);
    }
  });
  return ids;
}

/**
 * Returns the content of a webhook, verified by the public library.
 *
 * @throws If it is not signed with the secret, or not within the last 5 minutes.
 */
export function verified({ body, headers }: Received, secret: string): unknown {
  const texts = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return new Webhook(secret).verify(body, Object.fromEntries(texts));
}
