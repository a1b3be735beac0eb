// Builds site/dist from docs/, with references of the HTTP API and of the types. Run it in the repository's root, after
// `npm run build` and `npm run --workspace service build`.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkLinks } from './check-links.mjs';
import { httpReference, typesReference } from './references.mjs';
import { writeSearchIndex } from './search-index.mjs';

const repository = 'https://github.com/whorl-id/whorl/blob/main/';
const output = 'site/dist';

export const config = { dir: { input: 'docs', includes: '../site', output }, markdownTemplateEngine: false };

/** @param {import('@11ty/eleventy').UserConfig} eleventy */
export default function configure(eleventy) {
  eleventy.setTemplateFormats(['md', 'html']);
  eleventy.amendLibrary('md', adaptMarkdown);
  eleventy.addTemplate('types.md', typesReference());
  eleventy.addTemplate('http-api.html', httpReference(), { templateEngineOverride: 'html' });
  eleventy.addGlobalData('layout', 'layout.11ty.js');
  eleventy.addGlobalData('sections', sectionsOf(readFileSync('docs/README.md', 'utf8')));
  eleventy.addGlobalData('eleventyComputed', {
    permalink: ({ page }) => `${outputName(page.filePathStem)}.html`,
    title: ({ page }) => titleOf(page.rawInput),
  });
  const minisearch = fileURLToPath(import.meta.resolve('minisearch'));
  eleventy.addPassthroughCopy({
    'docs/images': 'images',
    'docs/*.svg': '.',
    'site/assets': '.',
    'llms.txt': 'llms.txt',
    [minisearch]: 'minisearch.js',
  });
  eleventy.on('eleventy.after', ({ results }) => {
    checkLinks(results, output);
    writeSearchIndex(results, output);
  });
}

const outputName = (stem) => stem.replace(/(^|\/)README$/, '$1index');
const titleOf = (text) => (/^# (.*)$/m.exec(text)?.[1] ?? 'HTTP API').replaceAll('`', '');

/** Returns the sections of the contents page, and the pages that the first column of each table links. */
function sectionsOf(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      pages: [...section.matchAll(/^\| \[[^\]]*\]\(([\w/-]+)\.md\)/gm)].map(([, name]) => ({
        href: `${name}.html`,
        title: titleOf(readFileSync(`docs/${name}.md`, 'utf8')),
      })),
    }));
}

/** Adds GitHub's anchors to headings, adapts links, and replaces inline styles, which the service's policy blocks. */
function adaptMarkdown(markdown) {
  const { rules } = markdown.renderer;
  markdown.core.ruler.push('site', ({ tokens, env }) => {
    const used = new Map();
    tokens.forEach((token, index) => {
      if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[index + 1].content, used));
      const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
      if (side) token.attrs = [...token.attrs.filter(([name]) => name !== 'style'), ['class', side]];
      (token.children ?? []).forEach((child, at, children) => {
        if (child.type !== 'link_open') return;
        const { href, title } = adaptLink(child.attrGet('href'), env.page.filePathStem);
        child.attrSet('href', href);
        // GitHub shows file names. Readers of the site know pages by their titles.
        if (title && /^[\w-]+\.md$/.test(children[at + 1].content)) children[at + 1].content = title;
      });
    });
  });
  // Wide tables scroll by themselves. They can be focused, so that they also scroll by keyboard.
  rules.table_open = () => '<div class="table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
}

function anchorOf(heading, used) {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count ? `${slug}-${count}` : slug;
}

/** Links to pages of the site lead to their HTML, and links to other files of the repository to GitHub. */
function adaptLink(href, stem) {
  if (/^(?:[a-z]+:|#)/.test(href)) return { href };
  const { pathname } = new URL(href, `file:///docs${stem}`);
  if (!pathname.startsWith('/docs/')) return { href: repository + pathname.slice(1) };
  if (!pathname.endsWith('.md')) return { href };
  const file = pathname.slice(1);
  return {
    href: href.replace(/([\w-]+)\.md(?=#|$)/, (_, name) => `${outputName(name)}.html`),
    // checkLinks reports a page that does not exist.
    ...(existsSync(file) && { title: titleOf(readFileSync(file, 'utf8')) }),
  };
}
