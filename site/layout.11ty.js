/** The page around each text. All addresses are relative, because the service may run below a path. */
export default function layout({ content, page, sections, title }) {
  const root = '../'.repeat(page.url.split('/').length - 2) || './';
  const current = page.url.slice(1);
  const entry = ({ href, title: text }) =>
    `<li><a href="${root}${href}"${href === current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;
  const section = ({ title: text, pages }) => {
    const more = text === 'Reference' ? references : [];
    return `<h2>${text}</h2>\n<ul>${[...pages, ...more].map(entry).join('\n')}</ul>`;
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Whorl</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}site.css">
<script type="module" src="${root}search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="${root}index.html">Whorl</a>
<search>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<p id="found" role="status"></p>
<ul id="results"></ul>
</search>
</header>
<nav aria-label="Pages">
<details><summary>Pages</summary>
${sections.map(section).join('\n')}
</details>
</nav>
<main id="content">
${content}
</main>
</body>
</html>
`;
}

const references = [
  { href: 'http-api.html', title: 'HTTP API, generated' },
  { href: 'types.html', title: 'Types, generated' },
];

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
