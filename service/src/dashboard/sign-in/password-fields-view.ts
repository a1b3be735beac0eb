import { html } from 'hono/html';
import { field, type Html } from '../view/parts.js';
import { passwordHint, passwordLength } from './password-rules.js';

/** Tells password managers whose password a form takes. */
export function accountName(email: string): Html {
  return html`<input type="email" autocomplete="username" value="${email}" aria-label="E-mail address" readonly hidden/>`;
}

export function newPassword(label: string, error: string | undefined, name = 'password'): Html {
  return field({
    name,
    label,
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    hint: passwordHint,
    ...passwordLength,
    error,
  });
}

/** What a form has to know that asks for the password once more. */
export interface Confirming {
  readonly admin: { readonly email: string };
  /** Whether the password was entered within the last minutes. */
  readonly isConfirmed: boolean;
  /** What was wrong with the one that was entered. */
  readonly confirmationError?: string | undefined;
}

/** Asks for the password once more, unless it was entered within the last minutes. */
export function passwordAgain({ admin, isConfirmed, confirmationError }: Confirming): Html | undefined {
  if (isConfirmed) return undefined;
  const again = field({
    ...{ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password' },
    ...{ required: true, error: confirmationError, hint: 'Asked for once more here, then not for 5 minutes.' },
  });
  return html`${accountName(admin.email)}${again}`;
}
