import { html } from 'hono/html';
import type { KeyScope } from '../../ground/vocabulary.js';
import type { ListedKey } from '../../resources/projects/keys.js';
import { haveSameScopes, scopesOfMode, scopeTexts } from '../../resources/projects/rules/key-scopes.js';
import { copyScript } from '../assets.js';
import { copyField, passwordAgain, shownOnce } from '../view/forms.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { badge, field, form, type Html, section, table, time } from '../view/parts.js';

const kinds = {
  secret: 'for your server only. Its scopes say which API calls it allows.',
  publishable: 'for web pages. It only allows evaluations from your allowed origins.',
} as const;

/** Choices for how long a key stays valid after it was replaced. */
export const keepHours = [
  { value: '0', label: 'Revoke it now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
] as const;

/** What was chosen for a new key. */
export interface KeyForm {
  readonly kind: string;
  readonly scopes: readonly KeyScope[];
}

const emptyForm: KeyForm = { kind: 'secret', scopes: ['evaluate'] };

/** Returns the name of a scope's checkbox. */
export function scopeField(scope: KeyScope): string {
  return `scope_${scope}`;
}

/** Renders the keys of a world. */
export function keysPage(frame: WorldFrame, keys: readonly ListedKey[], chosen = emptyForm): DashboardPage {
  const { base, world } = frame;
  const row = (key: ListedKey) => [
    html`<div><code>${key.shown}</code>${key.isValid && key.publishableKey && copyField(key.publishableKey, `Publishable key ${key.shown}`)}</div>`,
    key.kind,
    key.scopes.join(', '),
    time(key.createdAt),
    stateOf(key),
    key.isValid ? actionsOf(key, keys, base) : undefined,
  ];
  return {
    section: 'keys',
    title: 'Keys',
    scripts: [copyScript.url],
    body: html`<p class="quiet">Keys for ${world.mode} mode. A revoked key stops working within one second. The <a href="${base}/settings#changes">change log</a> shows who created, rotated or revoked a key.</p>
${section('All keys', table(['Key', 'Type', 'Scopes', 'Created', 'Status', 'Actions'], keys.map(row), 'All keys'))}
${section('Create a key', [
  html`<p>At most two keys of each type with the same scopes can be active. The scopes of a key cannot be changed later.</p>`,
  form(frame, {
    action: `${base}/keys`,
    submit: 'Create key',
    content: [
      field({
        type: 'choice',
        name: 'kind',
        label: 'Type',
        value: chosen.kind,
        hint: html`<strong>secret</strong>: ${kinds.secret} <strong>publishable</strong>: ${kinds.publishable}`,
        options: Object.keys(kinds).map((each) => ({ value: each, label: each })),
      }),
      scopesFieldset(frame, chosen.scopes),
      passwordAgain(frame),
    ],
  }),
])}`,
  };
}

function scopesFieldset({ world }: WorldFrame, scopes: readonly KeyScope[]): Html {
  const box = (scope: KeyScope) =>
    field({
      type: 'switch',
      name: scopeField(scope),
      label: scope,
      value: scopes.includes(scope),
      hint: `Allows ${scopeTexts[scope]}.`,
    });
  return html`<fieldset>
<legend>Scopes of a secret key</legend>
<p class="hint">Choose only what the program that uses the key needs. A publishable key has no scopes.</p>
${scopesOfMode(world.mode).map(box)}
</fieldset>`;
}

function actionsOf(key: ListedKey, keys: readonly ListedKey[], base: string): Html {
  const link = (page: string, text: string) =>
    html`<a href="${base}/keys/${key.id}/${page}" aria-label="${text} ${key.shown}">${text}</a>`;
  const alike = keys.filter(({ kind, scopes }) => kind === key.kind && haveSameScopes(scopes, key.scopes));
  const isNewest = alike.find(({ isValid }) => isValid)?.id === key.id;
  return html`<div>${isNewest && html`${link('rotate', 'Rotate')} · `}${link('revoke', 'Revoke')}</div>`;
}

function stateOf({ isValid, expiresAt }: ListedKey): Html {
  if (!expiresAt) return badge('valid');
  return html`<div>${isValid ? html`${badge('valid')} until` : html`${badge('inactive')} since`} ${time(expiresAt)}</div>`;
}

/** Renders the form that rotates a key. */
export function rotateKeyPage(frame: WorldFrame, key: ListedKey, hours = '24'): DashboardPage {
  const { base } = frame;
  return {
    section: 'keys',
    title: 'Rotate a key',
    body: html`<section class="panel">
<p>Creates a new ${key.kind} key${withScopes(key)} to replace <code>${key.shown}</code> and shows it once. Switch to the new key while the old one is still valid. Any other older ${key.kind} key${withScopes(key)} is revoked now.</p>
${form(frame, {
  action: `${base}/keys/${key.id}/rotate`,
  submit: 'Rotate key',
  content: [
    field({
      type: 'choice',
      name: 'keep_hours',
      label: 'Keep the old key valid for',
      value: hours,
      options: keepHours,
    }),
    passwordAgain(frame),
  ],
})}
<p><a href="${base}/keys">Cancel</a></p>
</section>`,
  };
}

/** Renders the confirmation before a key is revoked. */
export function revokeKeyPage(frame: WorldFrame, key: ListedKey, { isLast }: { isLast: boolean }): DashboardPage {
  const { base, world } = frame;
  return {
    section: 'keys',
    title: 'Revoke a key',
    body: html`<section class="panel">
<p>The key <code>${key.shown}</code> stops working immediately. You cannot undo this.</p>
${isLast && html`<p class="notice bad"><strong>This is the last ${key.kind} key${withScopes(key)} for ${world.mode} mode.</strong> ${lastWarnings[key.kind]}</p>`}
${form(frame, { action: `${base}/keys/${key.id}/revoke`, submit: 'Revoke key', danger: true, content: passwordAgain(frame) })}
<p><a href="${base}/keys">Cancel</a></p>
</section>`,
  };
}

/** Names the scopes of a key, unless they are those of almost every key. */
function withScopes({ scopes }: ListedKey): string {
  const [first, ...others] = scopes;
  if (first === undefined || (first === 'evaluate' && others.length === 0)) return '';
  return ` with the ${others.length > 0 ? 'scopes' : 'scope'} ${scopes.join(', ')}`;
}

const lastWarnings = {
  secret: 'Requests from your server will fail with status 401 until you create a new key and use it there.',
  publishable: 'Requests from your web pages will fail with status 401 until you create a new key and use it there.',
} as const;

/** Renders the only page that shows a new key. */
export function newKeyPage({ base }: WorldFrame, key: string): DashboardPage {
  return {
    section: 'keys',
    title: 'New key',
    scripts: [copyScript.url],
    body: html`<section class="panel">${shownOnce('Key', key)}
<p><a href="${base}/keys">Back to all keys</a></p></section>`,
  };
}
