import { Webhook } from 'standardwebhooks';
import type { EventType } from 'whorl/wire';
import { worldOf } from '../../src/projects/queries/projects.js';
import type { Service } from '../../src/service.js';
import { deliverTo, dueEndpoints } from '../../src/webhooks/deliver.js';
import { addEndpoint, type EndpointChoice, type ListedEndpoint, listEndpoints } from '../../src/webhooks/endpoints.js';
import { recordEvent } from '../../src/webhooks/queries/events.js';
import type { EndpointKey } from '../../src/webhooks/queries/webhook-deliveries.js';
import { listAttempts } from '../../src/webhooks/replay.js';
import type { Received, Receiver } from './receiver.js';
import type { TestProject, TestService } from './service.js';

/** What an operator and a worker do with the live endpoints of a project. */
export interface Webhooks {
  readonly world: { readonly project: string; readonly mode: 'live' };
  add(url: string): Promise<{ id: string; secret: string }>;
  choose(endpoint: string): EndpointChoice;
  /** The primary key of an endpoint, as a worker takes it. */
  keyOf(endpoint: string): Promise<EndpointKey>;
  list(): Promise<ListedEndpoint[]>;
  /** The outcome of each attempt, the newest first. */
  attempts(endpoint: string): Promise<(number | string)[]>;
  /** Delivers what is due, once for each call. */
  deliver(): Promise<void>;
  /** Makes events of a user that the project has, and answers their ids. */
  tell(count: number, type?: EventType): Promise<string[]>;
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
    tell: (count, type = 'device.detached') => tellMany(service, project.id, count, type),
  };
}

/** The clock stands where the receivers' does, and nothing is due for endpoints of other tests. */
export async function forgetEndpoints({ clock, db }: TestService, receiver: Receiver): Promise<void> {
  clock.advance(Date.now() - clock.now().getTime());
  await db.deleteFrom('webhook_endpoints').execute();
  receiver.clear();
}

async function tellMany(service: Service, projectId: string, count: number, type: EventType): Promise<string[]> {
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
 * What a webhook says, by the public library.
 * @throws where it is not signed with the secret within 5 minutes from now.
 */
export function verified({ body, headers }: Received, secret: string): unknown {
  const texts = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return new Webhook(secret).verify(body, Object.fromEntries(texts));
}
