import { html } from 'hono/html';
import { asset } from '../view/assets.js';
import type { Html } from '../view/parts.js';

/** Puts a button beside each field to be copied, where the browser can copy. */
const script = `
for (const field of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const told = document.createElement('span');
  told.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      told.textContent = 'Copied';
    } catch {
      told.textContent = 'Selected: copy it with the keyboard';
    }
  });
  field.after(button, told);
}
`;

export const copyScript = asset('/assets/copy.js', 'text/javascript; charset=utf-8', script);

/** A secret that is shown this once, in a field to copy it from. */
export function shownOnce(label: string, secret: string): Html {
  return html`<div class="field"><label for="secret">${label}</label>
<p class="hint" id="secret-hint">It is shown this once: only what it can be checked by is kept. Copy it now.</p>
<div class="copy"><input id="secret" class="code" type="text" readonly value="${secret}" aria-describedby="secret-hint" autocomplete="off" spellcheck="false" data-copy/></div>
</div>`;
}
