import type { NoticeKind } from 'whorl/wire';
import { dayMs, hourMs } from '../../ground/time.js';
import type { Settings } from '../projects/rules/settings.js';

/** Limits of messages to users about their devices and contacts. */
export const noticeLimits = {
  /** Per user and kind within a day. */
  perUserAndDay: 3,
  /** Per address within a day, whichever users it belongs to. */
  perAddressAndDay: 10,
  /** Validity of the link. */
  linkDays: 7,
} as const;

/** Time for which messages also go to an address that was replaced. */
export const formerEmailMs = 72 * hourMs;

const settingOf = {
  new_device: 'mail_new_device',
  contact_changed: 'mail_contact_changed',
  denied_attempt: 'mail_denied_attempt',
} as const satisfies Readonly<Record<NoticeKind, keyof Settings>>;

/** Returns whether a project sends messages of a kind. */
export function sendsNotice(settings: Settings, kind: NoticeKind): boolean {
  return settings[settingOf[kind]];
}

/** Returns whether the link of a notice can still be used, or shows what it did. */
export function isLinkValid({ created_at }: { readonly created_at: Date }, now: Date): boolean {
  return now.getTime() - created_at.getTime() < noticeLimits.linkDays * dayMs;
}

/** The oldest address of a user that was replaced within 72 hours, sealed. */
export interface FormerEmail {
  readonly former_email: Uint8Array | null;
  readonly former_email_until: Date | null;
}

/** Returns the former address of a user, if messages still go there. */
export function formerEmailOf({ former_email, former_email_until }: FormerEmail, now: Date): Uint8Array | undefined {
  return former_email && former_email_until && now < former_email_until ? former_email : undefined;
}
