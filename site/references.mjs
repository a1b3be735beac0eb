import { readFileSync } from 'node:fs';
import { readApi } from '../scripts/api-report.mjs';
import { renderApiDocs } from '../service/dist/api/openapi/page.js';

/** Returns the reference of the HTTP API: the inner part of the page that the service shows at /docs/api. */
export function httpReference() {
  const document = JSON.parse(readFileSync('service/openapi.json', 'utf8'));
  const { 'whorl.min.js': integrity } = JSON.parse(readFileSync('dist/sri.json', 'utf8'));
  const scriptTag = `<script src="https://whorl.example.com/whorl.min.js"\n  integrity="${integrity}" crossorigin></script>`;
  const page = renderApiDocs(document, scriptTag);
  const [, contents, main] = /(<nav .*<\/nav>)\s*<main>(.*)<\/main>/s.exec(page) ?? [];
  if (!main) throw new Error('The page of the HTTP API has another structure: adapt httpReference.');
  return `<h1 id="http-api">HTTP API</h1>
<p>Generated from the OpenAPI document, which the service serves at <code>/openapi.json</code>. What all endpoints share is
in <a href="api.html">another page</a>.</p>
${contents}${main}`;
}

/** Returns the reference of the types, from the declarations of the built package, as Markdown. */
export function typesReference() {
  const entryPoints = readApi();
  const keyOf = ({ name, code }) => name + code;
  const exported = entryPoints.flatMap(({ types }) => types.filter(({ isExported }) => isExported).map(keyOf));
  const seen = new Map();
  const chapters = entryPoints.map(({ entryPoint, types }) => {
    const shown = types.filter((type) => type.isExported || !exported.includes(keyOf(type)));
    return `## ${entryPoint}\n\n${shown.map((type) => entryOf(type, entryPoint)).join('\n\n')}`;
  });
  return `# Types

Generated from the declarations of the package, with the types that they refer to. [package.md](package.md) and
[server.md](server.md) explain how to use them.

${chapters.join('\n\n')}
`;

  function entryOf(type, entryPoint) {
    const { name, isExported, comment, source } = type;
    const earlier = seen.get(keyOf(type));
    if (earlier) return `\`${name}\` is described in \`${earlier}\`.`;
    seen.set(keyOf(type), entryPoint);
    const note = isExported ? '' : 'Not exported by name.';
    return [`### ${name}`, comment.replaceAll('<', '&lt;'), note, `\`\`\`ts\n${source}\n\`\`\``]
      .filter(Boolean)
      .join('\n\n');
  }
}
