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
import { administrator } from '../../resources/projects/setting-log.js';
import { type DashboardPage, type DashboardVisit, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
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

/** Returns the world of a visit in the form that webhook operations expect. */
export function worldOf({ world }: DashboardVisit) {
  return { project: world.projectId, mode: world.mode };
}

/**
 * Returns the webhook endpoint in the path of a visit.
 *
 * @throws {ApiError} `not_found`
 */
export async function endpointOf(visit: DashboardVisit): Promise<ListedEndpoint> {
  const choice = { ...worldOf(visit), endpoint: visit.params.endpoint ?? '' };
  const found = await findListedEndpoint(visit.service, choice);
  if (found) return found;
  throw new ApiError('not_found', { detail: 'This webhook endpoint does not exist. It may have been removed.' });
}

const eventsPerPage = 25;
const maxAttempts = 50;
const path = '/dashboard/{project}/{mode}/webhooks';

const list = dashboardRoute({ method: 'get', path, answer: (visit) => showList(visit) });

async function showList(visit: DashboardVisit, refused?: WebhooksView['refused']): Promise<DashboardPage> {
  const { service, world, query } = visit;
  const before = idIn(query.get('before'));
  const [endpoints, outbox] = await Promise.all([
    listEndpoints(service, worldOf(visit)),
    listEvents(service, { worldId: world.worldId, before, limit: eventsPerPage }),
  ]);
  return webhooksPage(visit, { endpoints, outbox, ...(refused && { refused }) });
}

const add = dashboardRoute({
  method: 'post',
  path,
  answer: async (visit) => {
    const url = visit.fields.get('url')?.trim() ?? '';
    return whenConfirmed(visit, {
      ask: (again) => showList(again, { url }),
      act: (confirmed) => addOne(confirmed, url),
    });
  },
});

async function addOne(visit: DashboardVisit, url: string): Promise<DashboardPage> {
  const change = { ...worldOf(visit), url, changedBy: administrator(visit.admin) };
  try {
    return newSecretPage(visit, await addEndpoint(visit.service, change));
  } catch (error) {
    if (error instanceof OperatorError) return showList(visit, { url, message: error.message });
    throw error;
  }
}

const show = dashboardRoute({
  method: 'get',
  path: `${path}/{endpoint}`,
  answer: async (visit) => {
    const endpoint = await endpointOf(visit);
    const choice = { ...worldOf(visit), endpoint: endpoint.id };
    return webhookEndpointPage(visit, endpoint, await listAttempts(visit.service, choice, maxAttempts));
  },
});

const askToRotate = dashboardRoute({
  method: 'get',
  path: `${path}/{endpoint}/rotate`,
  answer: async (visit) => rotateSecretPage(visit, await endpointOf(visit)),
});

const askToRemove = dashboardRoute({
  method: 'get',
  path: `${path}/{endpoint}/remove`,
  answer: async (visit) => removeEndpointPage(visit, await endpointOf(visit)),
});

interface Choice extends EndpointChoice {
  readonly changedBy: string;
}

/** Defines an action on an endpoint. Errors are shown on the endpoint's page. */
function action(
  name: string,
  act: (visit: DashboardVisit, choice: Choice) => Promise<DashboardPage | Response>,
): PageRoute {
  return dashboardRoute({
    method: 'post',
    path: `/dashboard/{project}/{mode}/webhooks/{endpoint}/${name}`,
    answer: async (visit) => {
      const { id: endpoint } = await endpointOf(visit);
      try {
        return await act(visit, { ...worldOf(visit), endpoint, changedBy: administrator(visit.admin) });
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return redirectWithNotice(visit, `/webhooks/${endpoint}`, { kind: 'bad', text: error.message });
      }
    },
  });
}

const test = action('test', async (visit, choice) => {
  const { status, failure, durationMs } = await tryEndpoint(visit.service, choice);
  const response = [status, failure === 'status' ? undefined : failure, `${durationMs} ms`]
    .filter((part) => part !== undefined)
    .join(', ');
  return redirectWithNotice(visit, `/webhooks/${choice.endpoint}`, {
    kind: failure === undefined ? 'good' : 'bad',
    text:
      failure === undefined
        ? `Test event delivered: ${response}.`
        : `Test event not delivered: ${response}. Check the endpoint.`,
  });
});

const enable = action('enable', async (visit, choice) => {
  await enableEndpoint(visit.service, choice);
  return redirectWithNotice(visit, `/webhooks/${choice.endpoint}`, {
    kind: 'good',
    text: 'The endpoint receives events again.',
  });
});

const rotate = action('rotate', (visit, choice) =>
  whenConfirmed(visit, {
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
        visit,
        await rotateSecret(service, { ...choice, keepOldForHours: Number(hours), secretMark }),
      );
    },
  }),
);

const remove = action('remove', async (visit, choice) => {
  await removeEndpoint(visit.service, choice);
  return redirectWithNotice(visit, '/webhooks', { kind: 'good', text: 'The endpoint was removed.' });
});

const sendAgain = action('replay', async (visit, choice) => {
  const count = await replay(visit.service, choice, readReplay(visit.fields));
  return redirectWithNotice(visit, `/webhooks/${choice.endpoint}`, {
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
