import type { TestPage } from '../harness/types';
import { tabTo } from './accessibility';
import { shows } from './demo';

export const password = 'correct horse battery staple';

/** Fills in the form by keyboard, which has the same fields for set-up and sign-in. */
export async function signIn(page: TestPage, email = 'ada@example.com'): Promise<void> {
  await tabTo(page, 'email');
  await page.press(...email, 'Tab', ...password, 'Enter');
  await shows(page, /Sign out/);
}
