import { html, raw } from 'hono/html';
import { renderSVG } from 'uqr';
import { type Factors, hasSecondFactor } from '../../resources/admins/factors.js';
import type { Permission } from '../../resources/admins/permissions.js';
import { passkeyLibrary, passkeyScript } from '../assets.js';
import { passkeyForm } from '../sign-in/second-factor-view.js';
import { type Confirming, passwordAgain } from '../view/forms.js';
import type { AdminPage } from '../view/layout.js';
import { field, form, type Html, section, table, time } from '../view/parts.js';

type FactorsRequest = Confirming & {
  readonly formToken: string;
  readonly basePath: string;
  readonly can: (permission: Permission) => boolean;
};

interface FactorsView {
  readonly factors: Factors;
  /** Whether every account of the installation needs a second factor. */
  readonly isRequired: boolean;
  /** Options for creating a passkey, as JSON. */
  readonly passkeyOptions: string;
}

const pathOf = ({ basePath }: FactorsRequest) => `${basePath}/dashboard/account/second-factor`;

/** Renders the second factors of the own account. */
export function factorsPage(request: FactorsRequest, { factors, isRequired, passkeyOptions }: FactorsView): AdminPage {
  const path = pathOf(request);
  const ofInstallation =
    request.can('manage_installation') && section('Whole installation', requiredForm(request, isRequired));
  if (request.admin.confirmAt) {
    const { name } = request.admin.confirmAt;
    return {
      title: 'Second factor',
      body: html`<p><a href="${request.basePath}/dashboard/account">Back to your account</a></p>
<p class="quiet">You sign in with ${name}, which asks for your second factor.</p>
${ofInstallation}`,
    };
  }
  const isMissing = isRequired && !hasSecondFactor(factors);
  const intro = isMissing
    ? html`<p class="notice warn">This installation requires a second factor. Add a passkey or an authenticator app to continue.</p>`
    : html`<p class="quiet">After your password, signing in asks for one of these.</p>`;
  return {
    title: 'Second factor',
    scripts: [passkeyLibrary().url, passkeyScript.url],
    body: html`<p><a href="${request.basePath}/dashboard/account">Back to your account</a></p>
${intro}
${section('Passkeys', [passkeysTable(request, factors), passkeyPart(request, path, passkeyOptions)])}
${section('Authenticator app', authenticatorPart(request, path, factors))}
${hasSecondFactor(factors) && section('Recovery codes', recoveryPart(request, path, factors))}
${ofInstallation}`,
  };
}

function passkeysTable(request: FactorsRequest, { passkeys }: Factors): Html {
  if (passkeys.length === 0) {
    return html`<p>A passkey is a key in your device, password manager or security key. It works on this site only, so a copied page cannot ask for it.</p>`;
  }
  const rows = passkeys.map(({ id, name, createdAt, lastUsedAt }) => [
    name,
    time(createdAt),
    lastUsedAt && time(lastUsedAt),
    form(request, {
      action: `${pathOf(request)}/passkeys/${id}/remove`,
      submit: 'Remove',
      small: true,
      content: passwordAgain(request, `remove-${id}`),
    }),
  ]);
  return table(['Passkey', 'Added', 'Last used', 'Actions'], rows, 'Your passkeys');
}

function passkeyPart(request: FactorsRequest, path: string, options: string): Html {
  const name = field({ name: 'name', label: 'Name', maxLength: 60, hint: 'For example the device it is in.' });
  if (!request.isConfirmed) return confirmFirst(request, path);
  return html`${passkeyForm(request, { action: `${path}/passkeys`, submit: 'Add a passkey', kind: 'create', options, content: name })}
<noscript><p class="notice warn">Adding a passkey needs JavaScript.</p></noscript>`;
}

/** Renders the form that confirms the password: a passkey is created in the browser before the form is sent. */
function confirmFirst(request: FactorsRequest, path: string): Html {
  return form(request, {
    action: `${path}/confirm`,
    submit: 'Continue',
    content: passwordAgain(request, 'confirm-passkey'),
  });
}

function authenticatorPart(request: FactorsRequest, path: string, { hasTotp }: Factors): Html {
  if (hasTotp) {
    const content = passwordAgain(request, 'remove-totp');
    return html`<p>An authenticator app is set up.</p>${form(request, { action: `${path}/authenticator/remove`, submit: 'Remove the app', danger: true, content })}`;
  }
  const content = passwordAgain(request, 'add-totp');
  return html`<p>An app on your phone that shows a new code every 30 seconds.</p>
${form(request, { action: `${path}/authenticator`, submit: 'Set up an app', content })}`;
}

function recoveryPart(request: FactorsRequest, path: string, { recoveryCodes }: Factors): Html {
  const content = passwordAgain(request, 'renew-codes');
  return html`<p>${recoveryCodes} of 10 codes are left. Each works once, if you lose the other factors.</p>
${form(request, { action: `${path}/recovery-codes`, submit: 'Create new codes', content })}`;
}

function requiredForm(request: FactorsRequest, isRequired: boolean): Html {
  const content = [
    field({
      type: 'switch',
      name: 'required',
      label: 'Every member with a password needs a second factor',
      value: isRequired,
      hint: 'Members without one have to set one up before they can see anything else.',
    }),
    passwordAgain(request, 'require'),
  ];
  return form(request, { action: `${request.basePath}/dashboard/installation/second-factor`, submit: 'Save', content });
}

interface AuthenticatorView {
  readonly secret: string;
  readonly uri: string;
  readonly error?: string;
}

/** Renders the code to scan with an authenticator app, and the form for its first code. */
export function authenticatorPage(request: FactorsRequest, { secret, uri, error }: AuthenticatorView): AdminPage {
  const code = field({
    name: 'code',
    label: 'Code',
    autocomplete: 'one-time-code',
    required: true,
    maxLength: 10,
    hint: 'The 6 digits that the app shows.',
    error,
  });
  // Safe: the library draws rectangles only.
  const picture = raw(
    renderSVG(uri, { border: 2 }).replace('<svg', '<svg role="img" aria-label="QR code" width="220" height="220"'),
  );
  return {
    title: 'Set up an authenticator app',
    body: html`<section class="panel"><p>Scan this code with the app, or enter the key in it.</p>
<div>${picture}</div>
<p>Key: <code class="whole">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
${form(request, { action: `${pathOf(request)}/authenticator/confirm`, submit: 'Confirm', content: [code, passwordAgain(request)] })}
<p><a href="${pathOf(request)}">Cancel</a></p></section>`,
  };
}

/** Renders the only page that shows recovery codes. */
export function recoveryCodesPage(request: FactorsRequest, codes: readonly string[]): AdminPage {
  return {
    title: 'Your recovery codes',
    body: html`<section class="panel"><p>Keep these codes in a safe place, such as a password manager or on paper. Each works once, if you lose your other factors. They are shown only now, because only their hashes are stored.</p>
<ul class="plain">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a href="${pathOf(request)}">I have kept them</a></p></section>`,
  };
}
