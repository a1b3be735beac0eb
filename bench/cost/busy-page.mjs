import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const vue = join(dirname(createRequire(import.meta.url).resolve('vue')), 'dist/vue.global.prod.js');

/** Rows of the table of the application. Rendering them takes some tens of milliseconds. */
const rows = 1500;
/** The time after the load at which the visitor clicks. A person needs longer to fill in a form. */
const clickAfterMs = 3000;

/**
 * Returns the script of a single-page application (Vue) that starts with the page, and renders its table again every 100
 * ms, also after the click. Replaces the wait for an idle page in page/measure.js by the time until the click.
 */
export async function busyApplication() {
  return `${await readFile(vue, 'utf8')}
    addEventListener('DOMContentLoaded', () => {
      const { createApp, h, ref } = Vue;
      const turn = ref(0);
      const cells = (row) => [1, 2, 3, 4].map((cell) => h('td', 'Value ' + row * cell * turn.value));
      const table = () => h('table', Array.from({ length: ${rows} }, (_, row) => h('tr', cells(row))));
      createApp({ render: table }).mount(document.body.appendChild(document.createElement('div')));
      setInterval(() => turn.value++, 100);
    });
    globalThis.atRest = () => new Promise((resolve) => setTimeout(resolve, ${clickAfterMs}));
  `;
}
