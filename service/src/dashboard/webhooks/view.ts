import { html } from 'hono/html';
import type { ListedEndpoint } from '../../webhooks/endpoints.js';
import type { EventPage } from '../../webhooks/outbox.js';
import { copyScript, shownOnce } from '../keys/secret-view.js';
import { passwordAgain } from '../sign-in/password-fields-view.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { badge, emptyState, field, form, type Html, section, table, time } from '../view/parts.js';

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
