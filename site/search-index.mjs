import { writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { keywords } from './keywords.mjs';

/**
 * Writes search.json: each section of each page, with its heading, its text, its address, and words that it does not
 * contain.
 *
 * @throws {Error} if words belong to a section that does not exist.
 */
export function writeSearchIndex(results, output) {
  const sections = results.flatMap(({ outputPath, content }) => {
    const url = posix.relative(output, posix.normalize(outputPath));
    const [, main = ''] = /<main[^>]*>(.*?)(?:<nav class="neighbours".*)?<\/main>/s.exec(content) ?? [];
    const [, title = ''] = /<title>(.*?)<\/title>/.exec(content) ?? [];
    return main.split(/(?=<h[1-3] id=)/).flatMap((section) => {
      const [heading = '', level, anchor = '', name = ''] =
        /^<h([1-3]) id="([^"]*)">(.*?)<\/h[1-3]>/s.exec(section) ?? [];
      if (!heading) return [];
      return [
        {
          url: level === '1' ? url : `${url}#${anchor}`,
          page: textOf(title.replace(' – Whorl', '')),
          heading: textOf(name),
          text: textOf(section.slice(heading.length)),
        },
      ];
    });
  });
  const missing = Object.keys(keywords).filter((url) => !sections.some((section) => section.url === url));
  if (missing.length) throw new Error(`site/keywords.mjs names sections that do not exist: ${missing.join(', ')}`);
  const all = sections.map((section, id) => ({ id, ...section, keywords: keywords[section.url] }));
  writeFileSync(`${output}/search.json`, JSON.stringify(all));
}

// highlight.js writes an apostrophe as &#x27;.
const entities = { lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", amp: '&' };

function textOf(html) {
  return html
    .replace(/<\/?(?:span|code|strong|em)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|#x27|amp);/g, (_, name) => entities[name])
    .replace(/\s+/g, ' ')
    .trim();
}
