// Uses templates instead of Hono's JSX, which uses AsyncLocalStorage. Before Node 24, that slows down every promise in the
// process, and evaluations by 25%.
import { html, raw } from 'hono/html';
import { errorTable } from '../../ground/errors.js';
import { errorCodes, errorGuide } from '../../http/error-guide.js';
import { withCode } from '../../http/pages/page-response.js';
import { scopesInWords } from '../../http/scopes.js';
import { type FieldView, type OperationView, viewOf } from './document-view.js';

type Html = ReturnType<typeof html>;

/** An operation of the API, with the HTML that belongs below its heading. */
export interface RenderedOperation extends Pick<OperationView, 'id' | 'method' | 'path' | 'summary'> {
  readonly html: string;
}

/** Renders the operations of each resource, for pages that show one resource each. */
export function renderApiSections(
  document: unknown,
): { name: string; description: string; operations: RenderedOperation[] }[] {
  const { tags, operations } = viewOf(document);
  const render = (operation: OperationView) => ({ ...operation, html: String(operationText(operation)) });
  return tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name).map(render),
  }));
}

/** Renders the error codes, each with the anchor that the `type` of an error links. */
export function renderErrorSection(): string {
  return String(errors());
}

/** Renders the API documentation from the OpenAPI document, as a single page without scripts. */
export function renderApiDocs(document: unknown, scriptTag: string): string {
  const { title, description, tags: resources, operations } = viewOf(document);
  const tags = resources.map(({ name }) => name);
  const page = html`<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>${title} API</title>
<style>${/* Unescaped, because the policy contains its hash. */ raw(styles)}</style>
</head>
<body>
<header>
<h1>${title} API</h1>
${description.split('\n\n').map((paragraph) => html`<p>${withCode(paragraph)}</p>`)}
<p>Machine-readable version: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
${contents(tags, operations)}
<main>
${tags.map((tag) => section(tag, operations))}
<section>
<h2 id="script-tag">Script tag</h2>
<pre>${scriptTag}</pre>
<p>The file and its <code>integrity</code> change with the version of the service.</p>
</section>
${errors()}
</main>
</body>
</html>`;
  return String(page);
}

function contents(tags: readonly string[], operations: readonly OperationView[]): Html {
  const entry = ({ id, summary }: OperationView) => html`<li><a href="#${id}">${summary}</a></li>`;
  const list = (tag: string) => html`<p>${tag}</p>
<ul>${operations.filter((operation) => operation.tag === tag).map(entry)}</ul>`;
  return html`<nav aria-label="Contents">
${tags.map(list)}
<ul><li><a href="#script-tag">Script tag</a></li><li><a href="#errors">Errors</a></li></ul>
</nav>`;
}

function section(tag: string, operations: readonly OperationView[]): Html {
  return html`<section>
<h2 id="${tag.toLowerCase()}">${tag}</h2>
${operations.filter((operation) => operation.tag === tag).map(article)}
</section>`;
}

const keyNames: Readonly<Record<string, string>> = { secretKey: 'a secret key', publishableKey: 'a publishable key' };

function article(operation: OperationView): Html {
  const { id, method, path } = operation;
  return html`<article>
<h3 id="${id}"><code><span class="method">${method}</span> ${path}</code></h3>
${operationText(operation)}
</article>`;
}

function operationText(operation: OperationView): Html {
  const { method, summary, description, isDeprecated, keys, parameters, body, sample } = operation;
  const keyText = keys
    .map((key) => `${keyNames[key] ?? key}${key === 'secretKey' ? scopeText(operation) : ''}`)
    .join(' or ');
  return html`<p>${summary}. ${description && withCode(description)} ${isDeprecated && deprecation}</p>
${method !== 'event' && html`<p class="quiet">${keyText ? withCode(`With ${keyText}.`) : 'No key is needed.'}</p>`}
${fields('Parameters', parameters)}
${fields('Body', body)}
${sample && html`<pre>${sample}</pre>`}
${operation.responses.length > 0 && html`<h4>${method === 'event' ? 'Example' : 'Response'}</h4>`}
${operation.responses.map((response) => html`<pre>${JSON.stringify(response, null, 2)}</pre>`)}
${operation.problems.length > 0 && html`<h4>Errors</h4>`}
<dl>${operation.problems.map((problem) => html`<dt>${problem.status}</dt><dd>${withCode(problem.description)}</dd>`)}</dl>`;
}

function scopeText({ scopes }: OperationView): string {
  return ` (scope ${scopesInWords(scopes, 'or')})`;
}

const deprecation = html`<strong>Deprecated. The Link header of its responses names the replacement.</strong>`;

function fields(title: string, all: readonly FieldView[]): Html | undefined {
  if (all.length === 0) return undefined;
  const field = ({ name, type, isRequired, description }: FieldView) => html`<dt><code>${name}</code></dt>
<dd><span class="quiet">${type}${isRequired && ', required'}</span> ${description && withCode(description)}</dd>`;
  return html`<h4>${title}</h4>
<dl>${all.map(field)}</dl>`;
}

function errors(): Html {
  return html`<section>
<h2 id="errors">Errors</h2>
${errorCodes.map(
  (code) => html`<article>
<h3 id="error-${code}">${errorTable[code].status} <code>${code}</code></h3>
<p>${withCode(errorGuide[code].meaning)} ${withCode(errorGuide[code].remedy)}</p>
</article>`,
)}
</section>`;
}

/** Inlined in the page and allowed by hash, so that the page loads nothing. */
export const styles = `
:root { color-scheme: light dark; --line: light-dark(#d0d5dd, #3a414b); --quiet: light-dark(#56606d, #a3adba);
  --panel: light-dark(#f4f6f8, #1c2128); --link: light-dark(#0b57d0, #8ab4f8); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.55 system-ui, sans-serif;
  background: light-dark(#fff, #14181d); color: light-dark(#1a1f26, #e6e9ee); overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { margin: 2.5rem 0 .25rem; font-size: 1.05rem; } h4 { margin: 1.25rem 0 .25rem; font-size: .95rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { background: var(--panel); padding: .75rem; border-radius: .5rem; white-space: pre-wrap; }
nav ul { columns: 18rem; padding-left: 1.1rem; } nav li { break-inside: avoid; }
dl { margin: .25rem 0; } dt { margin-top: .5rem; } dd { margin: 0 0 0 1rem; }
.quiet { color: var(--quiet); }
.method { text-transform: uppercase; }
@media (min-width: 40rem) { body { padding: 2rem; } }
`;
