import type { Settings } from '../resources/projects/rules/settings.js';
import { readableOn } from './rules.js';

const defaultColours = { light: '#2457c5', dark: '#8ab4f8' };

/** Returns the page's style sheet in the project's colours. It is inline, and allowed by its hash. */
export function stylesOf({ colour, colour_dark }: Settings['challenge_page']): string {
  const light = colour ?? defaultColours.light;
  const dark = colour_dark ?? colour ?? defaultColours.dark;
  return `
:root { color-scheme: light dark; --line: light-dark(#7b8492, #8b95a3); --quiet: light-dark(#525c69, #a9b3c0);
  --panel: light-dark(#fff, #1c2128); --text: light-dark(#1a1f26, #e8ebf0); --bad: light-dark(#a3160f, #ffb4ab);
  --accent: light-dark(${light}, ${dark}); --on-accent: light-dark(${readableOn(light)}, ${readableOn(dark)}); }
${rules}`;
}

const rules = `* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: start center; padding: 1rem;
  font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f1f3f6, #12161b); color: var(--text); overflow-wrap: anywhere; }
.card { width: 100%; max-width: 27rem; background: var(--panel); border-radius: .75rem; padding: 1.25rem;
  box-shadow: 0 1px 3px rgb(0 0 0 / .25); }
header { display: flex; align-items: center; gap: .75rem; font-weight: 600; margin-bottom: 1rem; }
header img { max-height: 2.5rem; max-width: 8rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 .75rem; } .quiet { color: var(--quiet); } .small { font-size: .9rem; }
form { margin: 0; } .stack > * + * { margin-top: .6rem; }
label { display: block; font-weight: 600; }
input { width: 100%; font: inherit; font-size: 1.5rem; letter-spacing: .3em; padding: .5rem .75rem; margin: .25rem 0 .75rem;
  border: 1px solid var(--line); border-radius: .5rem; background: light-dark(#fff, #12161b); color: inherit; }
button, .button { display: block; width: 100%; font: inherit; font-weight: 600; padding: .7rem 1rem; border-radius: .5rem;
  border: 1px solid var(--line); background: transparent; color: inherit; text-align: center; text-decoration: none; cursor: pointer; }
.primary { background: var(--accent); color: var(--on-accent); border-color: var(--line); }
button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
.notice { border-left: 4px solid var(--bad); padding: .5rem .75rem; background: light-dark(#fdeceb, #3b1a18); }
.good { border-left-color: light-dark(#1a6b34, #7ddc9b); background: light-dark(#e7f5eb, #14301d); }
ul { list-style: none; margin: 1rem 0; padding: 0; } ul:last-child { margin-bottom: 0; }
li { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; border-top: 1px solid var(--line); padding: .75rem 0; }
li > div { flex: 1 1 10rem; } li button { width: auto; padding: .4rem .8rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1rem; } dt { color: var(--quiet); } dd { margin: 0; }
details { margin-top: 1.5rem; border-top: 1px solid var(--line); padding-top: .75rem; }
summary { cursor: pointer; color: var(--quiet); } details p { margin-top: .5rem; }
@media (min-width: 30rem) { body { padding: 3rem 1rem; } .card { padding: 2rem; } }
`;

/** Script that counts down until another code can be sent, and disables the buttons until then. */
export const countdown = `'use strict';
for (const wait of document.querySelectorAll('[data-wait]')) {
  const seconds = wait.querySelector('[data-seconds]');
  const buttons = wait.parentElement.querySelectorAll('button');
  const end = performance.now() + Number(seconds.textContent) * 1000;
  for (const button of buttons) button.disabled = true;
  const count = () => {
    const left = Math.ceil((end - performance.now()) / 1000);
    seconds.textContent = Math.max(0, left);
    if (left > 0) return;
    clearInterval(timer);
    wait.remove();
    for (const button of buttons) button.disabled = false;
  };
  const timer = setInterval(count, 250);
}
`;

/**
 * Script that reads the browser's fingerprint, proves its key if there is a nonce, and continues with both. If the
 * package cannot be loaded, the visitor continues by the button, without a fingerprint.
 */
export const check = `'use strict';
const form = document.querySelector('form[data-scope]');
const { scope, nonce } = form.dataset;
const { Whorl } = window;
if (Whorl) Promise.all([Whorl.getHash({ scope }), nonce && Whorl.getProof(nonce, { scope })]).then(([[fingerprint], proof]) => {
  form.elements.namedItem('fingerprint').value = fingerprint;
  form.elements.namedItem('proof').value = proof ?? '';
  form.submit();
}, () => form.submit());
`;
