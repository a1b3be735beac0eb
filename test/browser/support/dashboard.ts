import type { TestPage } from '../harness/types';
import { until } from '../harness/until';
import { tabTo } from './accessibility';
import { shows } from './demo';

export const password = 'correct horse battery staple';

/** Fills in the form by keyboard, which has the same fields for set-up and sign-in. */
export async function signIn(page: TestPage, email = 'ada@example.com'): Promise<void> {
  await tabTo(page, 'email');
  await page.press(...email, 'Tab', ...password, 'Enter');
  await shows(page, /Sign out/);
}

/** Waits for the form whose action ends with `action`, fills it in and submits it. `button`: the end of another action. */
export async function submit(
  page: TestPage,
  action: string,
  values: Record<string, string>,
  button = '',
): Promise<void> {
  const loaded = `document.readyState === 'complete' && !!document.querySelector('form[method="post"][action$="${action}"]')`;
  await until(`A form ${action}`, async () => (await page.evaluate(loaded)) || undefined);
  return page.evaluate(
    (end, fields, other) => {
      const form = document.querySelector<HTMLFormElement>(`form[method="post"][action$="${end}"]`);
      if (!form) throw new Error(`There is no form ${end}`);
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
