import { writeFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Writes search.json: each section of each page, with its heading, its text and its address. */
export function writeSearchIndex(results, output) {
  const sections = results.flatMap(({ outputPath, content }) => {
    const url = posix.relative(output, posix.normalize(outputPath));
    const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(content) ?? [];
    const [, title = ''] = /<title>(.*?)<\/title>/.exec(content) ?? [];
    return main.split(/(?=<h[1-3] id=)/).flatMap((section) => {
      const [heading = '', anchor = '', name = ''] = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/s.exec(section) ?? [];
      if (!heading) return [];
      return [
        {
          url: `${url}#${anchor}`,
          page: textOf(title.replace(' – Whorl', '')),
          heading: textOf(name),
          text: textOf(section.slice(heading.length)),
        },
      ];
    });
  });
  writeFileSync(`${output}/search.json`, JSON.stringify(sections.map((section, id) => ({ id, ...section }))));
}

const entities = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function textOf(html) {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => entities[name])
    .replace(/\s+/g, ' ')
    .trim();
}
