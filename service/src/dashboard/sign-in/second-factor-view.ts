import { html } from 'hono/html';
import type { Factors } from '../../resources/admins/factors.js';
import { passkeyLibrary, passkeyScript } from '../assets.js';
import type { Notice } from '../notice.js';
import { field, form, type Html, hidden } from '../view/parts.js';
import { renderEntrance } from './view.js';

interface SecondFactorPage {
  readonly basePath: string;
  readonly formToken: string;
  readonly notice: Notice | undefined;
  readonly email: string;
  readonly factors: Factors;
  /** Options for the browser, as JSON. Undefined if the account has no passkey. */
  readonly passkeyOptions: string | undefined;
  /** Requested page. */
  readonly next: string | undefined;
}

/** Renders the form for the second factor, after the password. */
export function renderSecondFactor(page: SecondFactorPage): string {
  const { basePath, email, factors, passkeyOptions, next } = page;
  const hiddenNext = next !== undefined && hidden('next', next);
  const action = `${basePath}/dashboard/second-factor`;
  const label = factors.hasTotp ? 'Code from your authenticator app, or a recovery code' : 'Recovery code';
  const code = field({
    name: 'code',
    label,
    autocomplete: 'one-time-code',
    required: true,
    maxLength: 40,
    hint: 'Each code works once.',
  });
  const passkey =
    passkeyOptions !== undefined &&
    html`${passkeyForm(page, { action, submit: 'Use your passkey', kind: 'get', options: passkeyOptions, content: html`${hiddenNext}` })}
<noscript><p class="notice warn">Using a passkey needs JavaScript. Enter a code instead.</p></noscript>`;
  return renderEntrance(
    page,
    'Second factor',
    html`<p>Signing in as ${email}.</p>
${passkey}
${form(page, { action, submit: 'Sign in', content: html`${hiddenNext}${code}` })}
<p class="quiet hint">Lost all of them? Ask the operator of this service to run
<code>whorl-service member remove-factors --email …</code></p>`,
    passkeyOptions === undefined ? [] : [passkeyLibrary().url, passkeyScript.url],
  );
}

interface PasskeyFormOptions {
  readonly action: string;
  readonly submit: string;
  /** Whether a passkey is created or used. */
  readonly kind: 'create' | 'get';
  /** Options for the browser, as JSON. */
  readonly options: string;
  readonly content?: Html | readonly (Html | undefined)[];
}

/** Renders a form that a script submits with the browser's answer about a passkey. Without scripts, it is hidden. */
export function passkeyForm(
  { formToken }: { readonly formToken: string },
  { action, submit, kind, options, content }: PasskeyFormOptions,
): Html {
  return html`<form method="post" action="${action}" class="stack" data-passkey="${kind}" data-options="${options}" hidden>
<input type="hidden" name="csrf" value="${formToken}"/>
<input type="hidden" name="passkey" value=""/>
${content}
<button type="submit" class="primary">${submit}</button>
<p class="error" role="alert"></p>
</form>`;
}
