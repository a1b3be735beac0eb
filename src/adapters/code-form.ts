import { ownFields } from '../own-fields.js';
import { type Channel, channelNames } from '../wire/channels.js';
import { codeNeeded } from './action-response.js';
import type { Challenge } from './challenge.js';

/** The texts of the plain form. Forms in other languages are rendered by the application. */
export const texts = { title: 'Verification code', code: 'Code', submit: 'Continue', cancel: 'Cancel' };

/** Has no colours and fonts of its own: it takes those of the page. */
export const formStyle = { display: 'grid', gap: '0.75rem', maxWidth: '22rem' } as const;

const factors: Readonly<Record<string, string>> = { passkey: 'your passkey', totp: 'your authenticator app' };

export function proveLabelOf(method: string): string {
  return `Confirm with ${ownFields(factors)[method] ?? method}`;
}

export function hintOf({ sentTo, isPending, channels, method }: Challenge): string {
  if (sentTo !== undefined) return `Enter the code that was sent to ${sentTo}.`;
  if (method !== undefined) return 'Confirm that it is you.';
  if (isPending) return 'Sending a code …';
  return channels.length > 1 ? `${codeNeeded} Where should it be sent?` : codeNeeded;
}

/** Returns the channels to offer: none while the first code is sent. */
export function offeredBy({ sentTo, isPending, channels, method }: Challenge): readonly Channel[] {
  return sentTo === undefined && isPending && method === undefined ? [] : channels;
}

export function sendLabelOf({ sentTo, addresses }: Challenge, channel: Channel): string {
  return `Send a ${sentTo === undefined ? '' : 'new '}code by ${channelNames[channel]} to ${addresses[channel]}`;
}

/** Returns the code that a form contains. */
export function codeIn(form: HTMLFormElement): string {
  return String(new FormData(form).get('code') ?? '');
}

/** Focuses the field for the code and selects what it contains, or focuses the first button if no code was sent yet. */
export function focusIn(form: HTMLElement | null): void {
  const field = form?.querySelector<HTMLInputElement | HTMLButtonElement>('input, button');
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}
