import MiniSearch from './minisearch.js';

const field = document.querySelector('#search');
const found = document.querySelector('#found');
const list = document.querySelector('#results');
const most = 12;
let index;

field.addEventListener('input', async () => {
  index ??= loadIndex();
  const search = await index;
  show(search.search(field.value));
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
async function loadIndex() {
  const response = await fetch(new URL('search.json', import.meta.url));
  const search = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page', 'url'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.1, combineWith: 'AND' },
  });
  search.addAll(await response.json());
  return search;
}

function show(results) {
  found.textContent = field.value && (results.length ? `${results.length} sections found` : 'Nothing found');
  list.replaceChildren(...results.slice(0, most).map(entryOf));
}

function entryOf({ heading, page, url }) {
  const link = document.createElement('a');
  link.href = new URL(url, import.meta.url);
  link.textContent = heading;
  const place = document.createElement('small');
  place.textContent = page;
  const entry = document.createElement('li');
  entry.append(link, ' ', place);
  return entry;
}
