import { linkHeadings } from './markdown.mjs';
import { neighboursOf } from './navigation.mjs';

/** The page around each text. All addresses are relative, because the service may run below a path. */
export default function layout({ content, page, groups, title, adapted }) {
  const root = '../'.repeat(page.url.split('/').length - 2) || './';
  const current = page.url.slice(1) || 'index.html';
  const isFront = current === 'index.html';
  const text = linkHeadings(adapted[current]?.adapt(content) ?? content);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isFront ? 'Whorl: documentation' : `${escapeHtml(title)} – Whorl`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}site.css">
<script type="module" src="${root}search.js"></script>
<script type="module" src="${root}copy.js"></script>
</head>
<body${isFront ? ' class="first"' : ''}>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="${root}index.html">Whorl</a>
<search>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Press / to search">
<p id="found" role="status"></p>
<ol id="results"></ol>
</search>
</header>
<nav aria-label="Pages">
<details><summary>Pages</summary>
${groups.map((group) => navigationGroup(group, root, current)).join('\n')}
</details>
</nav>
<main id="content">
${isFront ? frontOf(text) : text}
${neighbourLinks(neighboursOf(groups, current), root)}
</main>
${isFront ? '' : onThisPage(text)}
</body>
</html>
`;
}

function navigationGroup({ title, pages }, root, current) {
  const isOpen = pages.some(({ href }) => href === current);
  const entry = ({ href, title: text, isBelow }) =>
    `<li${isBelow ? ' class="below"' : ''}><a href="${root}${href}"${href === current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;
  return `<details class="group"${isOpen ? ' open' : ''}><summary>${title}</summary>
<ul>${pages.map(entry).join('\n')}</ul></details>`;
}

/** What stands before the first group of pages fills the first screen. */
function frontOf(text) {
  const at = text.indexOf('<h2');
  return `<div class="front">${text.slice(0, at)}</div>\n${text.slice(at)}`;
}

function neighbourLinks({ previous, next }, root) {
  if (!previous && !next) return '';
  const link = (page, rel, word) =>
    page ? `<a rel="${rel}" href="${root}${page.href}"><small>${word}</small> ${escapeHtml(page.title)}</a>` : '';
  return `<nav class="neighbours" aria-label="Previous and next page">
${link(previous, 'prev', 'Previous')}
${link(next, 'next', 'Next')}
</nav>`;
}

function onThisPage(text) {
  const headings = [...text.matchAll(/<h2 id="([^"]+)">(.*?)<a class="anchor"/gs)];
  if (headings.length < 2) return '';
  const entry = ([, id, name]) => `<li><a href="#${id}">${name.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`;
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2>
<ul>${headings.map(entry).join('\n')}</ul></nav>`;
}

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
