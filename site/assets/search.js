import MiniSearch from './minisearch.js';
import { countOf, createSearch, snippetOf } from './search-engine.js';

const field = document.querySelector('#search');
const found = document.querySelector('#found');
const list = document.querySelector('#results');
const most = 12;
let engine;

field.addEventListener('input', async () => {
  engine ??= loadSections();
  const search = await engine;
  show(search(field.value));
});

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && field.value) {
    field.value = '';
    show([]);
    field.focus();
  }
  if (event.key !== '/' || document.activeElement === field) return;
  event.preventDefault();
  field.focus();
});

/** The text is loaded with the first search, not with the page. */
async function loadSections() {
  const response = await fetch(new URL('search.json', import.meta.url));
  return createSearch(MiniSearch, await response.json());
}

function show(results) {
  const text = countOf(results.length, most);
  found.textContent = field.value && text;
  list.replaceChildren(...results.slice(0, most).map(entryOf));
  const isComplete = results.length > 0 && results.length <= most;
  if (field.value && !isComplete) list.append(element('li', { className: 'none', textContent: text }));
}

function entryOf({ heading, page, url, text, terms }) {
  const link = element('a', { href: new URL(url, import.meta.url) });
  const place = page === heading ? [] : [element('small', { textContent: page })];
  const snippet = element('span');
  snippet.append(
    ...snippetOf(text, terms).map(({ part, isMatch }) => (isMatch ? element('mark', { textContent: part }) : part)),
  );
  link.append(element('strong', { textContent: heading }), ...place, snippet);
  const entry = element('li');
  entry.append(link);
  return entry;
}

function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}
