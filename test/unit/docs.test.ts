import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const namesIn = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => folder + path);

const tests = ['test/', 'service/test/'].flatMap((folder) => namesIn(folder, '.test.ts'));
const pages = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...namesIn('docs/', '.md')];

/** The strings in the tests' files; where a title is put together, a pattern of what it may become. */
const titles = new Set<string>();
const patterns: RegExp[] = [];
for (const text of tests.map(read)) {
  for (const [quoted] of text.matchAll(/'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|"[^"\n]*"/g)) {
    const [first = '', ...more] = quoted
      .slice(1, -1)
      .replaceAll("\\'", "'")
      .split(/%[sdj]|\$\{[^}]*\}/);
    if (more.length === 0) titles.add(first);
    // What is hardly more than gaps would fit anything.
    else if ([first, ...more].join('').length > 5) patterns.push(patternOf([first, ...more]));
  }
}

function patternOf(parts: readonly string[]): RegExp {
  return new RegExp(`^${parts.map((part) => part.replace(/[^\w\s]/g, '\\$&')).join('.+')}$`);
}

/** What stands in tables and paragraphs that name a file of tests, with the page's name. */
function namedIn(among: readonly string[], pattern: RegExp): { page: string; name: string }[] {
  return among.flatMap((page) => {
    const passages = read(page)
      .split(/\n\s*\n/)
      .filter((text) => text.includes('.test.ts'));
    const names = passages.flatMap((text) => [...text.replace(/\s+/g, ' ').matchAll(pattern)]);
    return names.map(([, name = '']) => ({ page, name }));
  });
}

describe('the tests that the docs name', () => {
  test('are there', () => {
    const files = namedIn(pages, /`([\w./-]+\.test\.ts)`/g);
    expect(files.length).toBeGreaterThan(100);
    const isThere = (name: string) => tests.some((path) => path === name || basename(path) === basename(name));
    expect(files.filter(({ name }) => !isThere(name))).toEqual([]);
  });

  test('bear the names that the docs give them', () => {
    // In that page, other things stand in quotes as well.
    const named = namedIn(
      pages.filter((page) => page !== 'CONTRIBUTING.md'),
      /"([^"]+)"/g,
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ name }) => !titles.has(name) && !patterns.some((it) => it.test(name)))).toEqual([]);
  });
});
