import { existsSync, readFileSync } from 'node:fs';
import { highlight } from './highlight.mjs';

const repository = 'https://github.com/whorl-id/whorl/blob/main/';

export const outputName = (stem) => stem.replace(/(^|\/)README$/, '$1index');
export const titleOf = (text) => (/^# (.*)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');

/**
 * Adapts the Markdown renderer to the site: GitHub's anchors for headings, links between pages, highlighted code, and
 * classes instead of inline styles, which the service's policy blocks.
 */
export function adaptMarkdown(markdown) {
  const { rules } = markdown.renderer;
  markdown.core.ruler.push('site', ({ tokens, env }) => {
    const used = new Map();
    tokens.forEach((token, index) => {
      if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[index + 1].content, used));
      // A heading of a column without text is no heading.
      if (token.type === 'th_open' && tokens[index + 1].content === '') {
        token.tag = 'td';
        tokens[index + 2].tag = 'td';
      }
      const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
      if (side) token.attrs = [...token.attrs.filter(([name]) => name !== 'style'), ['class', side]];
      (token.children ?? []).forEach((child, at, children) => {
        if (child.type !== 'link_open') return;
        const { href, title } = adaptLink(child.attrGet('href'), env.page.filePathStem);
        child.attrSet('href', href);
        // GitHub shows file names. Readers of the site know pages by their titles.
        if (title && /^[\w/-]+\.md$/.test(children[at + 1].content)) children[at + 1].content = title;
      });
    });
  });
  // Wide tables and code scroll by themselves. They can be focused, so that they also scroll by keyboard.
  rules.table_open = () => '<div class="table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.fence = (tokens, index) => {
    const { content, info } = tokens[index];
    return `<pre tabindex="0"><code>${highlight(content, info.trim())}</code></pre>\n`;
  };
}

/** Adds a link to each heading that has an anchor. */
export function linkHeadings(html) {
  return html.replace(
    /<(h[2-4]) id="([^"]+)">(.*?)<\/\1>/gs,
    (_, tag, id, text) =>
      `<${tag} id="${id}">${text}<a class="anchor" href="#${id}" aria-label="Link to this section"></a></${tag}>`,
  );
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
