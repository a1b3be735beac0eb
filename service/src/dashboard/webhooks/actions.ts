import type { PageRoute } from '../../http/pages/page-route.js';
import { OperatorError } from '../../operator-error.js';
import { administrator } from '../../projects/setting-log.js';
import { type EndpointChoice, enableEndpoint, removeEndpoint, rotateSecret } from '../../webhooks/endpoints.js';
import { type Replay, replay } from '../../webhooks/replay.js';
import { tryEndpoint } from '../../webhooks/try-endpoint.js';
import { type DashboardPage, type DashboardVisit, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { choiceIn } from '../fields.js';
import { keepHours } from '../keys/view.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { endpointOf, worldOf } from './endpoint-of.js';
import { rotateSecretPage } from './endpoint-view.js';
import { newSecretPage } from './view.js';

interface Choice extends EndpointChoice {
  readonly changedBy: string;
}

/** Something that is done with an endpoint. What cannot be done is told on the endpoint's page. */
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
  const answer = [status, failure === 'status' ? undefined : failure, `${durationMs} ms`]
    .filter((part) => part !== undefined)
    .join(', ');
  return redirectWithNotice(visit, `/webhooks/${choice.endpoint}`, {
    kind: failure === undefined ? 'good' : 'bad',
    text: `The test event was ${failure === undefined ? 'taken' : 'not taken'}: ${answer}.`,
  });
});

const enable = action('enable', async (visit, choice) => {
  await enableEndpoint(visit.service, choice);
  return redirectWithNotice(visit, `/webhooks/${choice.endpoint}`, { kind: 'good', text: 'It gets events again.' });
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
      // A form that is sent again must not rotate what has just been rotated: the receiver would know neither secret.
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
    text: count === 1 ? '1 event is sent again.' : `${count} events are sent again.`,
  });
});

/** @throws OperatorError where neither an event nor a time is given. */
function readReplay(fields: URLSearchParams): Replay {
  const event = fields.get('event')?.trim();
  if (event) return { event };
  const [from, to] = [readTime(fields.get('from')), readTime(fields.get('to'))];
  if (!from) throw new OperatorError('Say which events: the id of one, or from when on.');
  return { from, to, delivered: fields.get('delivered') === 'on' };
}

/** As browsers send it (HTML, local date and time), taken as UTC. */
function readTime(text: string | null): Date | undefined {
  if (!text) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/.test(text) ? new Date(`${text}Z`) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new OperatorError(`"${text}" is no time.`);
}

/** What can be done with a webhook endpoint. */
export const webhookActions: readonly PageRoute[] = [test, enable, rotate, remove, sendAgain];
