import { html } from 'hono/html';
import type { ListedEndpoint } from '../../webhooks/endpoints.js';
import type { EventPage } from '../../webhooks/outbox.js';
import type { AttemptRow } from '../../webhooks/queries/webhook-deliveries.js';
import { copyScript } from '../assets.js';
import { keepHours } from '../keys/view.js';
import { passwordAgain, shownOnce } from '../view/forms.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { badge, definitionList, emptyState, field, form, type Html, section, table, time } from '../view/parts.js';

export interface WebhooksView {
  readonly endpoints: readonly ListedEndpoint[];
  readonly outbox: EventPage;
  /** What was entered as an address, and why it was refused, where that was the address. */
  readonly refused?: { readonly url: string; readonly message?: string };
}

/** Where the events of a world go, and its newest ones. */
export function webhooksPage(frame: WorldFrame, { endpoints, outbox, refused }: WebhooksView): DashboardPage {
  const { base, world } = frame;
  const row = ({ id, url, status, waiting, failed, createdAt }: ListedEndpoint) => [
    html`<a href="${base}/webhooks/${id}">${url}</a>`,
    badge(status),
    waiting,
    failed,
    time(createdAt),
  ];
  const columns = [
    'Address',
    'Health',
    { title: 'Waiting', number: true },
    { title: 'Given up', number: true },
    'Added',
  ] as const;
  return {
    section: 'webhooks',
    title: 'Webhooks',
    ...(refused && { status: 422, notice: { kind: 'bad', text: 'The endpoint was not added: see below.' } }),
    body: html`<p class="quiet">All events of the ${world.mode} world go to each endpoint, signed, and again for three days where one does not take them.</p>
${section('Endpoints', endpoints.length > 0 ? table(columns, endpoints.map(row), 'Webhook endpoints') : emptyState('Events go nowhere yet.'))}
${section(
  'Another endpoint',
  form(frame, {
    action: `${base}/webhooks`,
    submit: 'Add',
    content: [
      field({
        ...{ type: 'url', name: 'url', label: 'Address', value: refused?.url, error: refused?.message, required: true },
        ...{
          hint: 'Such as https://shop.example/webhooks. Private addresses are refused.',
          autocomplete: 'off',
          maxLength: 2048,
        },
      }),
      passwordAgain(frame),
    ],
  }),
)}
${events(outbox, base)}`,
  };
}

function events({ events: shown, next }: EventPage, base: string): Html {
  if (shown.length === 0) return section('Events', emptyState('Nothing was told here.'));
  const rows = shown.map(({ id, type, at }) => [time(at), html`<code>${type}</code>`, html`<code>${id}</code>`]);
  return section('Events', [
    table(['When', 'Type', 'Id'], rows, 'Events, the newest first'),
    next === undefined
      ? undefined
      : html`<nav class="pager" aria-label="Pages"><a href="${base}/webhooks?before=${next}" rel="next">Older events</a></nav>`,
  ]);
}

/** The answer to what made a secret: the one page that shows it. */
export function newSecretPage({ base }: WorldFrame, { id, secret }: { id: string; secret: string }): DashboardPage {
  return {
    section: 'webhooks',
    title: 'The new secret',
    scripts: [copyScript.url],
    body: html`<section class="panel">
<p>Your server checks with it that events are from here.</p>
${shownOnce('Secret', secret)}
<p><a href="${base}/webhooks/${id}">To the endpoint</a></p></section>`,
  };
}

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
