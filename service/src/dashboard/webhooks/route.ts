import type { PageRoute } from '../../http/pages/page-route.js';
import { OperatorError } from '../../operator-error.js';
import { administrator } from '../../projects/setting-log.js';
import { addEndpoint, listEndpoints } from '../../webhooks/endpoints.js';
import { listEvents } from '../../webhooks/outbox.js';
import { listAttempts } from '../../webhooks/replay.js';
import { type DashboardPage, type DashboardVisit, dashboardRoute } from '../dashboard-route.js';
import { idIn } from '../ids.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { webhookActions } from './actions.js';
import { endpointOf, worldOf } from './endpoint-of.js';
import { removeEndpointPage, rotateSecretPage, webhookEndpointPage } from './endpoint-view.js';
import { newSecretPage, type WebhooksView, webhooksPage } from './view.js';

const shownEvents = 25;
const shownAttempts = 50;
const path = '/dashboard/{project}/{mode}/webhooks';

const list = dashboardRoute({ method: 'get', path, answer: (visit) => showList(visit) });

async function showList(visit: DashboardVisit, refused?: WebhooksView['refused']): Promise<DashboardPage> {
  const { service, world, query } = visit;
  const before = idIn(query.get('before'));
  const [endpoints, outbox] = await Promise.all([
    listEndpoints(service, worldOf(visit)),
    listEvents(service, { worldId: world.worldId, before, limit: shownEvents }),
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
    return webhookEndpointPage(visit, endpoint, await listAttempts(visit.service, choice, shownAttempts));
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

/** Where the events of a world go. */
export const webhooks: readonly PageRoute[] = [list, add, show, askToRotate, askToRemove, ...webhookActions];
