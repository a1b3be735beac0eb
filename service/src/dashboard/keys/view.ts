import { html } from 'hono/html';
import type { ListedKey } from '../../projects/keys.js';
import { copyScript } from '../assets.js';
import { passwordAgain, shownOnce } from '../view/forms.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { badge, field, form, type Html, section, table, time } from '../view/parts.js';

const kinds = {
  secret: 'for your server, and for nobody else; it may do all.',
  publishable: 'for pages; it may ask for evaluations from your allowed origins, and no more.',
} as const;

/** How long a key may go on after another took its place. */
export const keepHours = [
  { value: '0', label: 'It ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
] as const;

/**
 * The keys of a world.
 *
 * @param kind What was chosen for another key.
 */
export function keysPage(frame: WorldFrame, keys: readonly ListedKey[], kind = 'secret'): DashboardPage {
  const { base, world } = frame;
  const row = (key: ListedKey) => [
    html`<code>${key.shown}</code>`,
    key.kind,
    time(key.createdAt),
    stateOf(key),
    key.isValid ? actionsOf(key, keys, base) : undefined,
  ];
  return {
    section: 'keys',
    title: 'Keys',
    body: html`<p class="quiet">Of the ${world.mode} world. A key that is revoked stops working here at once, and in other processes within a second. Who made, rotated or revoked one stands in the <a href="${base}/settings#changes">log of changes</a>.</p>
${section('All keys', table(['Key', 'Kind', 'Made', 'State', 'Actions'], keys.map(row), 'All keys'))}
${section('Another key', [
  html`<p>Beside the one that there is. Two of a kind are good at a time.</p>`,
  form(frame, {
    action: `${base}/keys`,
    submit: 'Make a key',
    content: [
      field({
        ...{ type: 'choice', name: 'kind', label: 'Kind', value: kind },
        hint: html`<strong>secret</strong>: ${kinds.secret} <strong>publishable</strong>: ${kinds.publishable}`,
        options: Object.keys(kinds).map((each) => ({ value: each, label: each })),
      }),
      passwordAgain(frame),
    ],
  }),
])}`,
  };
}

function actionsOf(key: ListedKey, keys: readonly ListedKey[], base: string): Html {
  const way = (what: string, text: string) =>
    html`<a href="${base}/keys/${key.id}/${what}" aria-label="${text} ${key.shown}">${text}</a>`;
  const isNewest = keys.find(({ kind, isValid }) => isValid && kind === key.kind)?.id === key.id;
  return html`<div>${isNewest && html`${way('rotate', 'Rotate')} · `}${way('revoke', 'Revoke')}</div>`;
}

function stateOf({ isValid, expiresAt }: ListedKey): Html {
  if (!expiresAt) return badge('good');
  return html`<div>${isValid ? html`${badge('good')} until` : badge('ended')} ${time(expiresAt)}</div>`;
}

/** Asks how long the key before a new one goes on. */
export function rotateKeyPage(frame: WorldFrame, key: ListedKey, hours = '24'): DashboardPage {
  const { base } = frame;
  return {
    section: 'keys',
    title: 'Rotate a key',
    body: html`<section class="panel">
<p>A new ${key.kind} key takes the place of <code>${key.shown}</code>, and is shown once. Give it to all that use the old one while that is still good. Another one that is older than these two ends now.</p>
${form(frame, {
  action: `${base}/keys/${key.id}/rotate`,
  submit: 'Rotate',
  content: [
    field({
      ...{ type: 'choice', name: 'keep_hours', label: 'How long the old key stays valid', value: hours },
      options: keepHours,
    }),
    passwordAgain(frame),
  ],
})}
<p><a href="${base}/keys">Leave it as it is</a></p>
</section>`,
  };
}

/** Asks whether a key is really to end. */
export function revokeKeyPage(frame: WorldFrame, key: ListedKey, { isLast }: { isLast: boolean }): DashboardPage {
  const { base, world } = frame;
  return {
    section: 'keys',
    title: 'Revoke a key',
    body: html`<section class="panel">
<p>The key <code>${key.shown}</code> ends now. This cannot be undone.</p>
${isLast && html`<p class="notice bad"><strong>It is the last ${key.kind} key of the ${world.mode} world.</strong> ${lastWarnings[key.kind]}</p>`}
${form(frame, { action: `${base}/keys/${key.id}/revoke`, submit: 'Revoke it now', danger: true, content: passwordAgain(frame) })}
<p><a href="${base}/keys">Leave it as it is</a></p>
</section>`,
  };
}

const lastWarnings = {
  secret: 'All requests of your server will be refused (401) until it has another one.',
  publishable: 'All requests of your pages will be refused (401) until they have another one.',
} as const;

/** The answer to what made a key: the one page that shows it. */
export function newKeyPage({ base }: WorldFrame, key: string): DashboardPage {
  return {
    section: 'keys',
    title: 'The new key',
    scripts: [copyScript.url],
    body: html`<section class="panel">${shownOnce('Key', key)}
<p><a href="${base}/keys">To all keys</a></p></section>`,
  };
}
