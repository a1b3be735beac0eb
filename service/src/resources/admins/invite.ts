import { html } from 'hono/html';
import type { Mail } from '../../ground/messages/mail.js';
import { DeliveryUnavailable } from '../../ground/messages/message.js';
import { oneLine } from '../../ground/messages/one-line.js';
import { OperatorError } from '../../ground/operator-error.js';
import type { Origin } from '../audit/audit.js';
import type { Service } from '../service.js';
import { findAdminByEmail, readAdminEmail } from './admins.js';
import { addAccess } from './change-members.js';
import { type Access, type Invited, invitationDays, makeInvitation } from './links.js';
import { removeInvitation } from './members-queries.js';
import { type SignInOptions, usesPassword } from './sign-in-options.js';

/** Outcome of an invitation. */
export type InvitationResult =
  /** The person already had an account, which has the role now. */
  | { readonly outcome: 'added' }
  /** The link was sent by email. */
  | { readonly outcome: 'sent' }
  /** Email is not configured, or the link was asked for: the inviter passes it on. */
  | { readonly outcome: 'link'; readonly link: string };

export interface InvitationRequest extends Omit<Invited, 'email'> {
  /** Email address as it was entered. */
  readonly email: string;
  /** Email address of the account that invites, for the message. */
  readonly inviter?: string | undefined;
  /** Whether to return the link instead of sending it. Default: only if email is not configured. */
  readonly showLink?: boolean;
  readonly origin?: Origin;
}

/**
 * Invites a person to a role. The link works once, within 3 days, for this address and role only. Somebody who has an
 * account already gets the role at once.
 *
 * @throws OperatorError if the address is invalid, the provider gives the roles, the person has a role there already,
 *   or the mail could not be sent.
 */
export async function inviteMember(service: Service, request: InvitationRequest): Promise<InvitationResult> {
  const { access, inviter, invitedBy, origin = {}, showLink = !service.sender.channels.has('email') } = request;
  const email = readAdminEmail(request.email);
  if (email === undefined) {
    throw new OperatorError(
      `"${request.email}" is not a valid email address. Enter an address such as ada@example.com.`,
    );
  }
  const known = await findAdminByEmail(service.db, service, email);
  if (known) {
    await addAccess(service, { memberId: known.id, access, origin });
    return { outcome: 'added' };
  }
  const hasPassword = usesPassword(service.signIn, { email, isLinked: false });
  const provider = hasPassword ? undefined : service.signIn.provider;
  if (provider && provider.roles.length > 0) {
    throw new OperatorError(
      `Members get their roles from ${provider.name} and need no invitation. Give the person a role there.`,
    );
  }
  const { id, link } = await makeInvitation(service, { email, access, invitedBy }, origin);
  if (showLink) return { outcome: 'link', link };
  try {
    await service.sender.sendMail({ to: email, ...invitationMail({ access, inviter, link, provider }) });
  } catch (cause) {
    if (!(cause instanceof DeliveryUnavailable)) throw cause;
    await removeInvitation(service.db, { id, projectId: undefined });
    throw new OperatorError('The mail server did not accept the invitation. Check the address, or try again later.', {
      cause,
    });
  }
  return { outcome: 'sent' };
}

interface MailContent {
  readonly access: Access;
  readonly inviter: string | undefined;
  readonly link: string;
  /** Provider with which the person signs in, instead of a password. */
  readonly provider?: SignInOptions['provider'];
}

/** Returns the mail with an invitation. */
function invitationMail({ access, inviter, link, provider }: MailContent): Omit<Mail, 'to'> {
  const place =
    access.role === 'owner' ? 'the whole installation' : `the project "${oneLine(access.project.name, maxNameLength)}"`;
  const who = inviter === undefined ? 'You have been invited' : `${inviter} has invited you`;
  const intro = `${who} to the dashboard of Whorl, as ${articles[access.role]} ${access.role} of ${place}.`;
  const step = `To accept, open this link and ${provider ? `sign in with ${provider.name}` : 'choose a password'}:`;
  const close = `The link works once, within ${invitationDays} days, and only for this email address. If you did not expect it, ignore this email.`;
  return {
    subject: 'Invitation to the dashboard of Whorl',
    text: `${intro}\n\n${step}\n${link}\n\n${close}\n`,
    html: String(html`<p>${intro}</p>
<p>${step}<br/><a href="${link}">${link}</a></p>
<p>${close}</p>
`),
  };
}

const maxNameLength = 100;

const articles = { viewer: 'a', analyst: 'an', administrator: 'an', owner: 'an' } as const;
