import { readFileSync } from 'node:fs';
import { readApi } from '../scripts/api-report.mjs';
import { renderApiSections, renderErrorSection } from '../service/dist/api/openapi/page.js';
import { highlight } from './highlight.mjs';

/** The pages that readers look for least. */
const last = ['Legacy', 'Service'];

/**
 * Returns the reference of the HTTP API: a page for each resource; the end of docs/api.md, with the script tag and the errors;
 * and what links the routes in that page to their operations. The service shows it at /docs/api, which the `type` of each
 * error links.
 *
 * @returns {{ pages: { name: string, title: string, html: string }[], ending: string, linkRoutes: (html: string) => string }}
 */
export function httpReference() {
  const resources = renderApiSections(JSON.parse(readFileSync('service/openapi.json', 'utf8')));
  const sections = resources.sort((a, b) => last.indexOf(a.name) - last.indexOf(b.name));
  return {
    pages: sections.map(({ name, description, operations }) => ({
      name: fileOfResource(name),
      title: name,
      html: `<h1 id="${name.toLowerCase()}">${name}</h1>
<p>${description} <a href="../api.html">HTTP API</a> describes what all endpoints share. Generated from the OpenAPI document,
which the service serves at <code>/openapi.json</code>.</p>
${operations.map(operationText).join('\n')}`,
    })),
    ending: [scriptTag(), highlightAll(renderErrorSection())].join('\n'),
    linkRoutes: (html) => sections.reduce(linkRoutesOf, html),
  };
}

const fileOfResource = (name) => `api/${name.toLowerCase()}`;

function operationText({ id, method, path, summary, html }) {
  return `<h2 id="${id}">${summary}</h2>
<p class="route"><code><span class="method">${method}</span> ${path}</code></p>
${highlightAll(html)
  .replaceAll(/(<\/?)h4>/g, '$1h3>')
  .replace(`<p>${summary}.`, '<p>')}`;
}

/**
 * Links the routes of a list to the operations of a resource.
 *
 * @throws {Error} if the list lacks one of them.
 */
function linkRoutesOf(html, { name, operations }) {
  if (name === 'Service') return html;
  return operations
    .filter(({ method }) => method !== 'event')
    .reduce((text, { id, method, path }) => {
      const item = `<li><code>${method.toUpperCase()} ${path}</code>`;
      if (!text.includes(item)) throw new Error(`docs/api.md does not list ${method.toUpperCase()} ${path}.`);
      return text.replace(item, item.replace(/<code>.*/, `<a href="${fileOfResource(name)}.html#${id}">$&</a>`));
    }, html);
}

function scriptTag() {
  const { 'whorl.min.js': integrity } = JSON.parse(readFileSync('dist/sri.json', 'utf8'));
  const tag = `<script src="https://whorl.example.com/whorl.min.js"\n  integrity="${integrity}" crossorigin></script>`;
  return `<h2 id="script-tag">Script tag</h2>
<pre tabindex="0"><code>${highlight(tag, 'html')}</code></pre>
<p>The file and its <code>integrity</code> change with the version of the service.</p>`;
}

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** Highlights the samples, which are commands and JSON. */
function highlightAll(html) {
  return html.replace(/<pre>([^<]*)<\/pre>/g, (_, escaped) => {
    const code = escaped.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]);
    const language = /^\s*[[{]/.test(code) ? 'json' : 'sh';
    return `<pre tabindex="0"><code>${highlight(code, language)}</code></pre>`;
  });
}

/**
 * Returns the reference of the types, from the declarations of the built package, as Markdown: a page for each entry point.
 *
 * @returns {{ name: string, title: string, text: string }[]}
 */
export function typesReference() {
  const entryPoints = readApi();
  const keyOf = ({ name, code }) => name + code;
  const exported = entryPoints.flatMap(({ types }) => types.filter(({ isExported }) => isExported).map(keyOf));
  const seen = new Map();
  return entryPoints.map(({ entryPoint, types }) => {
    const shown = types.filter((type) => type.isExported || !exported.includes(keyOf(type)));
    return {
      name: fileOf(entryPoint),
      title: entryPoint,
      text: `# \`${entryPoint}\`: types

Generated from the declarations of the package, with the types that they refer to.
${entryPoint === 'whorl/server' ? '[server.md](../server.md)' : '[package.md](../package.md)'} explains how to use them.

${shown.map((type) => entryOf(type, entryPoint)).join('\n\n')}
`,
    };
  });

  function entryOf(type, entryPoint) {
    const { name, isExported, comment, source } = type;
    const earlier = seen.get(keyOf(type));
    if (earlier) return `\`${name}\` is described in [\`${earlier}\`](../${fileOf(earlier)}.md#${name.toLowerCase()}).`;
    seen.set(keyOf(type), entryPoint);
    const note = isExported ? '' : 'Not exported by name.';
    return [`## ${name}`, comment.replaceAll('<', '&lt;'), note, `\`\`\`ts\n${source}\n\`\`\``]
      .filter(Boolean)
      .join('\n\n');
  }
}

const fileOf = (entryPoint) => `types/${entryPoint.replaceAll('/', '-')}`;
