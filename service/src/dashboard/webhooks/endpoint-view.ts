import { html } from 'hono/html';
import type { ListedEndpoint } from '../../webhooks/endpoints.js';
import type { AttemptRow } from '../../webhooks/queries/webhook-deliveries.js';
import { keepHours } from '../keys/view.js';
import { passwordAgain } from '../sign-in/password-fields-view.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { badge, definitionList, emptyState, field, form, type Html, section, table, time } from '../view/parts.js';

/** One endpoint: how it does, what was tried last, and what can be done with it. */
export function webhookEndpointPage(
  frame: WorldFrame,
  endpoint: ListedEndpoint,
  attempts: readonly AttemptRow[],
): DashboardPage {
  const action = `${frame.base}/webhooks/${endpoint.id}`;
  const { url, status, waiting, failed, createdAt, previousUntil } = endpoint;
  return {
    section: 'webhooks',
    title: 'Webhook endpoint',
    body: html`<p><a href="${frame.base}/webhooks">All webhooks</a></p>
${section('State', [
  definitionList([
    ['Address', url],
    ['Health', html`${badge(status)} ${meanings[status]}`],
    ['Waiting', waiting],
    ['Given up', failed],
    ['Added', time(createdAt)],
    ...(previousUntil ? [['Signed with two secrets until', time(previousUntil)] as const] : []),
  ]),
  html`<div class="row">
${form(frame, { action: `${action}/test`, submit: 'Send a test event' })}
${status !== 'healthy' && form(frame, { action: `${action}/enable`, submit: status === 'off' ? 'Switch it on' : 'Take it for healthy' })}
<a class="button" href="${action}/rotate">Rotate its secret</a>
<a class="button danger" href="${action}/remove">Remove it</a>
</div>`,
])}
${attemptsSection(frame, endpoint, attempts)}
${status === 'off' ? undefined : replaySection(frame, action)}`,
  };
}

/** The status of the answer, and what went wrong where that does not say it. */
function answerOf(status: number | null, failure: string | null): string {
  return [status, failure === 'status' ? null : failure].filter((part) => part !== null).join(', ');
}

const meanings = {
  healthy: '',
  failing: 'An event was given up after three days of attempts. The next that is taken makes it healthy again.',
  off: 'It answered 410 (gone), and gets nothing until it is switched on.',
} as const;

function attemptsSection(frame: WorldFrame, { id, status }: ListedEndpoint, attempts: readonly AttemptRow[]): Html {
  if (attempts.length === 0) return section('Last attempts', emptyState('Nothing was sent yet.'));
  const again = (eventId: string) =>
    form(frame, {
      ...{ action: `${frame.base}/webhooks/${id}/replay`, submit: 'Send again', small: true },
      content: html`<input type="hidden" name="event" value="${eventId}"/>`,
    });
  const rows = attempts.map(({ at, type, event_id, status: answered, failure, duration_ms }) => [
    time(at),
    html`<div><code>${type}</code><br/><code class="quiet">${event_id}</code></div>`,
    html`<div>${badge(failure === null ? 'delivered' : 'failed')} ${answerOf(answered, failure)}</div>`,
    html`${duration_ms} ms`,
    status === 'off' ? undefined : again(event_id),
  ]);
  const columns = ['When', 'Event', 'Answer', { title: 'Took', number: true }, 'Replay'] as const;
  return section('Last attempts', table(columns, rows, 'The last attempts, the newest first'));
}

function replaySection(frame: WorldFrame, action: string): Html {
  const one = form(frame, {
    ...{ action: `${action}/replay`, submit: 'Send the event again' },
    content: field({ name: 'event', label: 'Id of an event', required: true, autocomplete: 'off', maxLength: 36 }),
  });
  const several = form(frame, {
    ...{ action: `${action}/replay`, submit: 'Send these events again' },
    content: [
      field({ type: 'datetime-local', name: 'from', label: 'From (UTC)', required: true }),
      field({ type: 'datetime-local', name: 'to', label: 'Until before (UTC)', hint: 'Empty: until now.' }),
      field({ type: 'switch', name: 'delivered', label: 'Those that it took, too' }),
    ],
  });
  const title = 'Replay';
  return html`<section class="panel"><h2>${title}</h2>
<p class="quiet">Events come again under the ids that they had.</p>
<div class="grid"><div>${one}</div><div>${several}</div></div></section>`;
}

/** Asks how long events are signed with the secret before, too. */
export function rotateSecretPage(
  frame: WorldFrame,
  { id, url, secretMark }: ListedEndpoint,
  hours = '24',
): DashboardPage {
  const action = `${frame.base}/webhooks/${id}`;
  return {
    section: 'webhooks',
    title: 'Rotate a secret',
    body: html`<section class="panel">
<p>Events to ${url} are signed with a new secret, which is shown once, and with the old one too for a while.</p>
${form(frame, {
  ...{ action: `${action}/rotate`, submit: 'Rotate' },
  content: [
    html`<input type="hidden" name="secret_mark" value="${secretMark}"/>`,
    field({
      type: 'choice',
      name: 'keep_hours',
      label: 'How long the old secret counts',
      value: hours,
      options: keepHours,
    }),
    passwordAgain(frame),
  ],
})}
<p><a href="${action}">Leave it as it is</a></p>
</section>`,
  };
}

/** Asks whether an endpoint is really to go. */
export function removeEndpointPage(frame: WorldFrame, { id, url, waiting }: ListedEndpoint): DashboardPage {
  const action = `${frame.base}/webhooks/${id}`;
  const left = waiting > 0 ? `${waiting} events that wait for it are not delivered.` : '';
  return {
    section: 'webhooks',
    title: 'Remove a webhook endpoint',
    body: html`<section class="panel">
<p>Events go to ${url} no more. ${left} This cannot be undone.</p>
${form(frame, { action: `${action}/remove`, submit: 'Remove it now', danger: true })}
<p><a href="${action}">Leave it as it is</a></p>
</section>`,
  };
}
