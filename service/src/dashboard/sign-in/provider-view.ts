import { html } from 'hono/html';
import type { Refusal } from '../../resources/admins/admit.js';
import { renderEntrance } from './view.js';

/** What happened, then what to do, for each reason. */
const refusals: Readonly<Record<Refusal, string>> = {
  not_set_up: 'This service has no owner yet. The first owner opens the link that the service creates when it starts.',
  no_role:
    'Your account has no role in this service. Ask the person who manages it to give you one, then sign in again.',
  no_email:
    'The provider did not send your email address. The operator of this service has to ask for the scope email.',
  unverified_email: 'The provider has not verified your email address. Verify it there, then sign in again.',
  emergency_owner: 'This email address belongs to the emergency owner, who signs in with a password only.',
  other_account: 'Another account already uses your email address. Ask an owner to remove that member first.',
  not_invited: 'Nobody has invited your email address. Ask an administrator for an invitation, then sign in again.',
  another_person: 'You signed in with another account than before. Confirm with the account you are signed in with.',
};

interface ProviderPage {
  readonly basePath: string;
}

/** Renders the page for somebody whom the provider knows and who may not sign in. */
export function renderRefusal({ basePath }: ProviderPage, reason: Refusal): string {
  return renderEntrance(
    { basePath },
    'You cannot sign in',
    html`<p>${refusals[reason]}</p>
<p><a href="${basePath}/dashboard/sign-in">Back to sign-in</a></p>`,
  );
}

/** Renders the page that opens the dashboard, in case the browser does not do it by itself. */
export function renderSignedIn({ basePath }: ProviderPage, next: string): string {
  return renderEntrance(
    { basePath },
    'You are signed in',
    html`<p><a href="${next}">Continue to the dashboard</a></p>`,
  );
}
