// Builds site/dist from docs/, with references of the HTTP API and of the types. Run it in the repository's root, after
// `npm run build` and `npm run --workspace service build`.
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkLinks } from './check-links.mjs';
import { adaptMarkdown, outputName, titleOf } from './markdown.mjs';
import { groupsOf } from './navigation.mjs';
import { httpReference, typesReference } from './references.mjs';
import { writeSearchIndex } from './search-index.mjs';

const output = 'site/dist';

export const config = { dir: { input: 'docs', includes: '../site', output }, markdownTemplateEngine: false };

/** @param {import('@11ty/eleventy').UserConfig} eleventy */
export default function configure(eleventy) {
  // The service serves all that is in the folder, so pages of an earlier build must not stay there.
  rmSync(output, { recursive: true, force: true });
  eleventy.setTemplateFormats(['md', 'html']);
  eleventy.amendLibrary('md', adaptMarkdown);
  const http = httpReference();
  const types = typesReference();
  for (const { name, title, html } of http.pages)
    eleventy.addTemplate(`${name}.html`, html, { title, templateEngineOverride: 'html' });
  for (const { name, text } of types) eleventy.addTemplate(`${name}.md`, text);
  eleventy.addGlobalData('layout', 'layout.11ty.js');
  const generated = { api: http.pages, package: types };
  eleventy.addGlobalData('groups', groupsOf(readFileSync('docs/README.md', 'utf8'), generated));
  // A function in the data would be called with the data.
  eleventy.addGlobalData('adapted', { 'api.html': { adapt: (html) => http.linkRoutes(html) + http.ending } });
  eleventy.addGlobalData('eleventyComputed', {
    permalink: ({ page }) => `${outputName(page.filePathStem)}.html`,
    title: ({ page, title }) => title || titleOf(page.rawInput),
  });
  const minisearch = fileURLToPath(import.meta.resolve('minisearch'));
  eleventy.addPassthroughCopy({
    'docs/images': 'images',
    'docs/*.svg': '.',
    'docs/research/*.svg': 'research',
    'site/assets': '.',
    'llms.txt': 'llms.txt',
    [minisearch]: 'minisearch.js',
  });
  eleventy.on('eleventy.after', ({ results }) => {
    checkLinks(results, output);
    writeSearchIndex(results, output);
  });
}
