import type { TestPage } from '../harness/types';

/** Fills in a form, and submits it. */
export function submitForm(page: TestPage, form: string, values: Record<string, string>): Promise<void> {
  return page.evaluate(
    (selector, fields) => {
      const found = document.querySelector(selector);
      if (!(found instanceof HTMLFormElement)) throw new Error(`There is no ${selector}`);
      for (const [name, value] of Object.entries(fields)) {
        const field = found.elements.namedItem(name);
        if (!(field instanceof HTMLInputElement)) continue;
        field.value = value;
        // As when a visitor types: frameworks read the field then.
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
      found.requestSubmit();
    },
    form,
    values,
  );
}

/** Fills in a form. */
export function fillIn(page: TestPage, form: string, values: Record<string, string>): Promise<void> {
  return page.evaluate(
    (selector, fields) => {
      for (const [name, value] of Object.entries(fields)) {
        const field = document.querySelector(`${selector} [name="${name}"]`);
        if (!(field instanceof HTMLInputElement)) throw new Error(`There is no field ${name}`);
        field.value = value;
      }
    },
    form,
    values,
  );
}
