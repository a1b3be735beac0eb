// Fails if a text contains a phrase of phrases.json, and prints what to write instead. In Markdown, code is not checked.
//   node scripts/phrases.mjs [--update]
// --update rewrites `except`, the files that still contain a phrase. Use it after files moved or were corrected.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const list = new URL('phrases.json', import.meta.url);
const { where, phrases, except } = JSON.parse(readFileSync(list, 'utf8'));
const args = [
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  '--deduplicate',
  ...where.map((it) => `:(glob)${it}`),
];
const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** @type {Record<string, Set<string>>} */
const found = {};
const messages = [];
for (const file of files) {
  const text = textOf(file);
  for (const { find, write, only = '' } of phrases) {
    if (!file.endsWith(only)) continue;
    for (const { 0: match, index } of text.matchAll(new RegExp(find, 'gm'))) {
      found[find] ??= new Set();
      found[find].add(file);
      const line = text.slice(0, index).split('\n').length;
      if (!except[find]?.includes(file)) messages.push(`${file}:${line}: "${match.trim()}". Write: ${write}.`);
    }
  }
}
// Exceptions that are no longer needed would allow the phrase to be used again.
for (const [find, exempt] of Object.entries(except)) {
  for (const file of exempt) {
    if (!found[find]?.has(file)) messages.push(`scripts/phrases.json: remove ${file} from the exceptions of ${find}.`);
  }
}

if (process.argv.includes('--update')) {
  const exempt = Object.fromEntries(Object.entries(found).map(([find, all]) => [find, [...all]]));
  writeFileSync(list, `${JSON.stringify({ where, phrases, except: exempt }, undefined, 2)}\n`);
} else if (messages.length) {
  console.error(messages.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`None of ${phrases.length} phrases is in ${files.length} files.`);
}

/** Returns the text of a file, with code in Markdown blanked out. Files that git lists but that do not exist are empty. */
function textOf(file) {
  let text = '';
  try {
    text = readFileSync(`${root}/${file}`, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  if (!file.endsWith('.md')) return text;
  const blank = (code) => code.replace(/[^\n]/g, ' ');
  return text.replace(/^ *```.*?^ *```$/gms, blank).replace(/`[^`\n]*`|<[^>]*>/g, blank);
}
