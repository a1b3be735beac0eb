import { existsSync } from 'node:fs';
import { posix } from 'node:path';

/**
 * Checks the links, images and scripts of all pages.
 *
 * @throws {Error} if one of them leads to a file or an anchor that does not exist, or loads a file from elsewhere.
 */
export function checkLinks(results, output) {
  const pages = new Map(results.map(({ outputPath, content }) => [posix.normalize(outputPath), content]));
  const broken = [...pages].flatMap(([path, content]) =>
    [...content.matchAll(/<(\w+)\s[^>]*?\b(?:href|src|srcset)="([^"]*)"/g)]
      .filter(([, tag, target]) => !leads(tag, target, path))
      .map(([, , target]) => `${path}: ${target}`),
  );
  if (broken.length) throw new Error(`These links lead nowhere:\n${broken.join('\n')}`);

  function leads(tag, target, from) {
    if (/^[a-z]+:/.test(target)) return tag === 'a' || target === 'data:,';
    const [file, anchor] = decodeURIComponent(target).replaceAll('&amp;', '&').split('#');
    const to = file ? posix.join(posix.dirname(from), file) : from;
    if (!to.startsWith(`${output}/`)) return false;
    if (!anchor) return pages.has(to) || existsSync(to);
    return new RegExp(`\\bid="${RegExp.escape?.(anchor) ?? anchor.replace(/[^\w-]/g, '\\$&')}"`).test(
      pages.get(to) ?? '',
    );
  }
}
