import { html } from 'hono/html';
import type { ListedEndpoint } from '../../effects/webhooks/endpoints.js';
import type { AttemptRow } from '../../effects/webhooks/queries/webhook-deliveries.js';
import type { EventPage } from '../../resources/events/outbox.js';
import { copyScript } from '../assets.js';
import { keepHours } from '../keys/view.js';
import { passwordAgain, shownOnce } from '../view/forms.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import {
  badge,
  definitionList,
  emptyState,
  field,
  form,
  type Html,
  hidden,
  section,
  table,
  time,
} from '../view/parts.js';

export interface WebhooksView {
  readonly endpoints: readonly ListedEndpoint[];
  readonly outbox: EventPage;
  /** The entered URL, and the error if it was refused. */
  readonly refused?: { readonly url: string; readonly message?: string };
}

/** Renders the webhook endpoints of a world and its newest events. */
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
    'URL',
    'Status',
    { title: 'Waiting', number: true },
    { title: 'Failed', number: true },
    'Added',
  ] as const;
  return {
    section: 'webhooks',
    title: 'Webhooks',
    ...(refused && {
      status: 422,
      notice: { kind: 'bad', text: 'The endpoint was not added. Correct the marked field below.' },
    }),
    body: html`<p class="quiet">Every endpoint receives all ${world.mode} events, signed. If a delivery fails, Whorl tries again for three days.</p>
${section('Endpoints', endpoints.length > 0 ? table(columns, endpoints.map(row), 'Webhook endpoints') : emptyState('No endpoints yet. Add one to receive events.'))}
${section(
  'Add an endpoint',
  form(frame, {
    action: `${base}/webhooks`,
    submit: 'Add endpoint',
    content: [
      field({
        type: 'url',
        name: 'url',
        label: 'URL',
        value: refused?.url,
        error: refused?.message,
        required: true,
        hint: 'For example https://shop.example/webhooks. Private addresses are refused, unless the operator of the service allows them.',
        autocomplete: 'off',
        maxLength: 2048,
      }),
      passwordAgain(frame),
    ],
  }),
)}
${events(outbox, base)}`,
  };
}

function events({ events: shown, next }: EventPage, base: string): Html {
  if (shown.length === 0)
    return section('Events', emptyState('No events yet. Challenges, detached devices and shared accounts cause them.'));
  const rows = shown.map(({ id, type, at }) => [time(at), html`<code>${type}</code>`, html`<code>${id}</code>`]);
  return section('Events', [
    table(['Time', 'Type', 'ID'], rows, 'Events, newest first'),
    next === undefined
      ? undefined
      : html`<nav class="pager" aria-label="Pagination"><a href="${base}/webhooks?before=${next}" rel="next">Older events</a></nav>`,
  ]);
}

/** Renders the only page that shows a new secret. */
export function newSecretPage({ base }: WorldFrame, { id, secret }: { id: string; secret: string }): DashboardPage {
  return {
    section: 'webhooks',
    title: 'New signing secret',
    scripts: [copyScript.url],
    body: html`<section class="panel">
<p>Your server uses this secret to verify that events come from Whorl.</p>
${shownOnce('Secret', secret)}
<p><a href="${base}/webhooks/${id}">Go to the endpoint</a></p></section>`,
  };
}

/** Renders an endpoint with its status, recent deliveries and actions. */
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
${section('Status', [
  definitionList([
    ['URL', url],
    ['Status', html`${badge(status)} ${statusExplanations[status]}`],
    ['Waiting', waiting],
    ['Failed', failed],
    ['Added', time(createdAt)],
    ...(previousUntil ? [['Old secret valid until', time(previousUntil)] as const] : []),
  ]),
  html`<div class="row">
${form(frame, { action: `${action}/test`, submit: 'Send a test event' })}
${status !== 'healthy' && form(frame, { action: `${action}/enable`, submit: status === 'off' ? 'Enable endpoint' : 'Mark as healthy' })}
<a class="button" href="${action}/rotate">Rotate secret</a>
<a class="button danger" href="${action}/remove">Remove endpoint</a>
</div>`,
])}
${attemptsSection(frame, endpoint, attempts)}
${status === 'off' ? undefined : replaySection(frame, action)}`,
  };
}

/** Returns the response status, and the error if the status does not say it. */
function outcomeOf(status: number | null, failure: string | null): string {
  return [status, failure === 'status' ? null : failure].filter((part) => part !== null).join(', ');
}

const statusExplanations = {
  healthy: '',
  failing: 'Delivery of an event failed for three days. The next successful delivery makes the endpoint healthy again.',
  off: 'The endpoint responded with 410 Gone. It receives no events until you enable it.',
} as const;

function attemptsSection(frame: WorldFrame, { id, status }: ListedEndpoint, attempts: readonly AttemptRow[]): Html {
  if (attempts.length === 0)
    return section(
      'Recent deliveries',
      emptyState('No deliveries yet. Events are delivered here as soon as they occur. Send a test event to try it.'),
    );
  const again = (eventId: string) =>
    form(frame, {
      action: `${frame.base}/webhooks/${id}/replay`,
      submit: 'Send again',
      small: true,
      content: hidden('event', eventId),
    });
  const rows = attempts.map(({ at, type, event_id, status: answered, failure, duration_ms }) => [
    time(at),
    html`<div><code>${type}</code><br/><code class="quiet">${event_id}</code></div>`,
    html`<div>${badge(failure === null ? 'delivered' : 'failed')} ${outcomeOf(answered, failure)}</div>`,
    html`${duration_ms} ms`,
    status === 'off' ? undefined : again(event_id),
  ]);
  const columns = ['Time', 'Event', 'Response', { title: 'Duration', number: true }, 'Actions'] as const;
  return section('Recent deliveries', table(columns, rows, 'Recent deliveries, newest first'));
}

function replaySection(frame: WorldFrame, action: string): Html {
  const one = form(frame, {
    action: `${action}/replay`,
    submit: 'Send event again',
    content: field({ name: 'event', label: 'Event ID', required: true, autocomplete: 'off', maxLength: 36 }),
  });
  const several = form(frame, {
    action: `${action}/replay`,
    submit: 'Send events again',
    content: [
      field({ type: 'datetime-local', name: 'from', label: 'From (UTC)', required: true }),
      field({
        type: 'datetime-local',
        name: 'to',
        label: 'To, exclusive (UTC)',
        hint: 'Leave empty to include all events until now.',
      }),
      field({ type: 'switch', name: 'delivered', label: 'Include delivered events' }),
    ],
  });
  const title = 'Send again';
  return html`<section class="panel"><h2>${title}</h2>
<p class="quiet">Events are sent again with their original IDs.</p>
<div class="grid"><div>${one}</div><div>${several}</div></div></section>`;
}

/** Renders the form that rotates a signing secret. */
export function rotateSecretPage(
  frame: WorldFrame,
  { id, url, secretMark }: ListedEndpoint,
  hours = '24',
): DashboardPage {
  const action = `${frame.base}/webhooks/${id}`;
  return {
    section: 'webhooks',
    title: 'Rotate the signing secret',
    body: html`<section class="panel">
<p>Creates a new signing secret for ${url} and shows it once. Until the old secret expires, events are signed with both.</p>
${form(frame, {
  action: `${action}/rotate`,
  submit: 'Rotate secret',
  content: [
    hidden('secret_mark', secretMark),
    field({
      type: 'choice',
      name: 'keep_hours',
      label: 'Keep the old secret valid for',
      value: hours,
      options: keepHours,
    }),
    passwordAgain(frame),
  ],
})}
<p><a href="${action}">Cancel</a></p>
</section>`,
  };
}

/** Renders the confirmation before an endpoint is removed. */
export function removeEndpointPage(frame: WorldFrame, { id, url, waiting }: ListedEndpoint): DashboardPage {
  const action = `${frame.base}/webhooks/${id}`;
  const left = waiting > 0 ? `${waiting} waiting ${waiting === 1 ? 'event' : 'events'} will not be delivered.` : '';
  return {
    section: 'webhooks',
    title: 'Remove a webhook endpoint',
    body: html`<section class="panel">
<p>Whorl will no longer send events to ${url}. ${left} You cannot undo this.</p>
${form(frame, { action: `${action}/remove`, submit: 'Remove endpoint', danger: true })}
<p><a href="${action}">Cancel</a></p>
</section>`,
  };
}
