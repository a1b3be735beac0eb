import { html } from 'hono/html';

/** Text with `names` in backticks, as code. */
export function withCode(text: string): (string | ReturnType<typeof html>)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}
