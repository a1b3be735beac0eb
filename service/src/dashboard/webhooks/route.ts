import {
  addEndpoint,
  type EndpointChoice,
  enableEndpoint,
  findListedEndpoint,
  type ListedEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from '../../effects/webhooks/endpoints.js';
import { listAttempts, type Replay, replay } from '../../effects/webhooks/replay.js';
import { tryEndpoint } from '../../effects/webhooks/try-endpoint.js';
import { ApiError } from '../../ground/errors.js';
import { OperatorError } from '../../ground/operator-error.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { listEvents } from '../../resources/events/outbox.js';
import { changeOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { keepHours } from '../keys/view.js';
import { choiceIn, idIn } from '../request.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import {
  newSecretPage,
  removeEndpointPage,
  rotateSecretPage,
  type WebhooksView,
  webhookEndpointPage,
  webhooksPage,
} from './view.js';

/** Returns the world of a request in the form that webhook operations expect. */
export function worldOf({ world }: DashboardRequest) {
  return { project: world.projectId, mode: world.mode };
}

/**
 * Returns the webhook endpoint in the path of a request.
 *
 * @throws {ApiError} `not_found`
 */
export async function endpointOf(request: DashboardRequest): Promise<ListedEndpoint> {
  const choice = { ...worldOf(request), endpoint: request.params.endpoint ?? '' };
  const found = await findListedEndpoint(request.service, choice);
  if (found) return found;
  throw new ApiError('not_found', { detail: 'This webhook endpoint does not exist. It may have been removed.' });
}

const eventsPerPage = 25;
const maxAttempts = 50;
const path = '/dashboard/{project}/{mode}/webhooks';

const list = dashboardRoute({
  method: 'get',
  path,
  permission: 'manage_webhooks',
  handle: (request) => showList(request),
});

async function showList(request: DashboardRequest, refused?: WebhooksView['refused']): Promise<DashboardPage> {
  const { service, world, query } = request;
  const before = idIn(query.get('before'));
  const [endpoints, outbox] = await Promise.all([
    listEndpoints(service, worldOf(request)),
    listEvents(service, { worldId: world.worldId, before, limit: eventsPerPage }),
  ]);
  return webhooksPage(request, { endpoints, outbox, ...(refused && { refused }) });
}

const add = dashboardRoute({
  method: 'post',
  path,
  permission: 'manage_webhooks',
  handle: async (request) => {
    const url = request.fields.get('url')?.trim() ?? '';
    return whenConfirmed(request, {
      ask: (again) => showList(again, { url }),
      act: (confirmed) => addOne(confirmed, url),
    });
  },
});

async function addOne(request: DashboardRequest, url: string): Promise<DashboardPage> {
  const change = { ...worldOf(request), url, ...changeOf(request) };
  try {
    return newSecretPage(request, await addEndpoint(request.service, change));
  } catch (error) {
    if (error instanceof OperatorError) return showList(request, { url, message: error.message });
    throw error;
  }
}

const show = dashboardRoute({
  method: 'get',
  path: `${path}/{endpoint}`,
  permission: 'manage_webhooks',
  handle: async (request) => {
    const endpoint = await endpointOf(request);
    const choice = { ...worldOf(request), endpoint: endpoint.id };
    return webhookEndpointPage(request, endpoint, await listAttempts(request.service, choice, maxAttempts));
  },
});

const askToRotate = dashboardRoute({
  method: 'get',
  path: `${path}/{endpoint}/rotate`,
  permission: 'manage_webhooks',
  handle: async (request) => rotateSecretPage(request, await endpointOf(request)),
});

const askToRemove = dashboardRoute({
  method: 'get',
  path: `${path}/{endpoint}/remove`,
  permission: 'manage_webhooks',
  handle: async (request) => removeEndpointPage(request, await endpointOf(request)),
});

interface Choice extends EndpointChoice {
  readonly changedBy: string;
  readonly network: string | undefined;
}

/** Defines an action on an endpoint. Errors are shown on the endpoint's page. */
function action(
  name: string,
  act: (request: DashboardRequest, choice: Choice) => Promise<DashboardPage | Response>,
): PageRoute {
  return dashboardRoute({
    method: 'post',
    path: `/dashboard/{project}/{mode}/webhooks/{endpoint}/${name}`,
    permission: 'manage_webhooks',
    handle: async (request) => {
      const { id: endpoint } = await endpointOf(request);
      try {
        return await act(request, { ...worldOf(request), endpoint, ...changeOf(request) });
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return redirectWithNotice(request, `/webhooks/${endpoint}`, { kind: 'bad', text: error.message });
      }
    },
  });
}

const test = action('test', async (request, choice) => {
  const { status, failure, durationMs } = await tryEndpoint(request.service, choice);
  const response = [status, failure === 'status' ? undefined : failure, `${durationMs} ms`]
    .filter((part) => part !== undefined)
    .join(', ');
  return redirectWithNotice(request, `/webhooks/${choice.endpoint}`, {
    kind: failure === undefined ? 'good' : 'bad',
    text:
      failure === undefined
        ? `Test event delivered: ${response}.`
        : `Test event not delivered: ${response}. Check the endpoint.`,
  });
});

const enable = action('enable', async (request, choice) => {
  await enableEndpoint(request.service, choice);
  return redirectWithNotice(request, `/webhooks/${choice.endpoint}`, {
    kind: 'good',
    text: 'The endpoint receives events again.',
  });
});

const rotate = action('rotate', (request, choice) =>
  whenConfirmed(request, {
    ask: async (again) => rotateSecretPage(again, await endpointOf(again), again.fields.get('keep_hours') ?? undefined),
    act: async ({ service, fields }) => {
      const hours = choiceIn(
        fields,
        'keep_hours',
        keepHours.map(({ value }) => value),
      );
      // A form that is sent twice must not rotate the secret twice: the receiver would know neither secret.
      const secretMark = fields.get('secret_mark') ?? '';
      return newSecretPage(
        request,
        await rotateSecret(service, { ...choice, keepOldForHours: Number(hours), secretMark }),
      );
    },
  }),
);

const remove = action('remove', async (request, choice) => {
  await removeEndpoint(request.service, choice);
  return redirectWithNotice(request, '/webhooks', { kind: 'good', text: 'The endpoint was removed.' });
});

const sendAgain = action('replay', async (request, choice) => {
  const count = await replay(request.service, choice, readReplay(request.fields));
  return redirectWithNotice(request, `/webhooks/${choice.endpoint}`, {
    kind: 'good',
    text: count === 1 ? '1 event will be sent again.' : `${count} events will be sent again.`,
  });
});

/** @throws OperatorError if neither an event nor a start time was entered. */
function readReplay(fields: URLSearchParams): Replay {
  const event = fields.get('event')?.trim();
  if (event) return { event };
  const [from, to] = [readTime(fields.get('from')), readTime(fields.get('to'))];
  if (!from) throw new OperatorError('Enter an event ID or a start time.');
  return { from, to, delivered: fields.get('delivered') === 'on' };
}

/** Reads a local date and time as browsers send it (HTML). It is taken as UTC. */
function readTime(text: string | null): Date | undefined {
  if (!text) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/.test(text) ? new Date(`${text}Z`) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new OperatorError(`"${text}" is not a valid time. Enter a date and time such as 2026-01-31T12:00.`);
}

/** Pages of the webhook endpoints and events of a world. */
export const webhooks: readonly PageRoute[] = [
  ...[list, add, show, askToRotate, askToRemove],
  ...[test, enable, rotate, remove, sendAgain],
];
