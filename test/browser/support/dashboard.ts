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

/** Fills in the form whose action ends with `action`, and submits it. `button`: the end of another action. */
export function submit(page: TestPage, action: string, values: Record<string, string>, button = ''): Promise<void> {
  return page.evaluate(
    (end, fields, other) => {
      const forms = [...document.querySelectorAll<HTMLFormElement>('form[method="post"]')];
      const form = forms.find((one) => one.getAttribute('action')?.endsWith(end));
      if (!form) throw new Error(`There is no form ${end}, but ${forms.map((one) => one.getAttribute('action'))}`);
      for (const [name, value] of Object.entries(fields)) {
        const field = form.elements.namedItem(name);
        if (!field || !('value' in field)) throw new Error(`There is no field ${name}`);
        field.value = value;
      }
      const buttons = [...form.querySelectorAll<HTMLButtonElement>('button')];
      const chosen = other !== '' && buttons.find((one) => one.getAttribute('formaction')?.endsWith(other));
      form.requestSubmit(chosen || undefined);
    },
    action,
    values,
    button,
  );
}
