import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isCommandOfRepository,
  isOfService,
  notRun,
  programLanguages,
  type Sample,
  sample,
  samplesIn,
  testedSamples,
} from '../package/samples.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const namesIn = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => folder + path);

const tests = ['test/', 'service/test/'].flatMap((folder) => namesIn(folder, '.test.ts'));
const guides = [
  'CONTRIBUTING.md',
  'service/test/README.md',
  'src/collector/readings/README.md',
  'test/browser/README.md',
  '.github/RELEASING.md',
];
const pages = ['README.md', 'SECURITY.md', ...guides, ...namesIn('docs/', '.md')];

describe('the test files that the docs name', () => {
  test('exist', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, name = '']) => ({ page, name })),
    );
    expect(named.length).toBeGreaterThan(100);
    const folders = ['', 'service/test/http/', 'service/test/unit/', 'test/browser/', 'test/unit/', 'test/package/'];
    const exists = (name: string) => folders.some((folder) => tests.includes(normalize(folder + name)));
    expect(named.filter(({ name }) => !exists(name))).toEqual([]);
  });
});

describe('the recipes for contributors', () => {
  test('name existing files and folders', () => {
    const named = guides.flatMap((page) =>
      [...read(page).matchAll(/`((?:src|service|test|scripts|docs|deploy|bench|site|demo)\/[\w./-]*)`/g)].map(
        ([, path = '']) => ({ page, path }),
      ),
    );
    expect(named.length).toBeGreaterThan(40);
    // dist folders exist only after a build.
    expect(named.filter(({ path }) => !/\bdist\b/.test(path) && !existsSync(new URL(path, root)))).toEqual([]);
  });

  test('name existing commands, and the one that a change of public types needs', () => {
    const text = guides.map(read).join('\n');
    const { scripts } = JSON.parse(read('package.json'));
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(commands).toContain('api');
    expect(commands.filter((name) => !Object.hasOwn(scripts, name) && !name.startsWith('--'))).toEqual([]);
    const ofService = JSON.parse(read('service/package.json')).scripts;
    const inService = [...text.matchAll(/npm run --workspace service ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(inService).toContain('openapi');
    expect(inService.filter((name) => !Object.hasOwn(ofService, name))).toEqual([]);
  });

  const sections = read('CONTRIBUTING.md')
    .replace(/^```.*?^```$/gms, '')
    .split(/^## /m)
    .map((section) => [...section.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span));
  const sources = ['src/', 'service/src/', 'service/test/', 'test/', 'scripts/']
    .flatMap((folder) => namesIn(folder, ''))
    .filter((path) => /\.(?:ts|mjs|js)$/.test(path) && !path.includes('node_modules/'));
  const files = [...sources, 'package.json', 'cspell.json', 'scripts/words.txt'];

  test('name files of the folders beside them', () => {
    const names = sections.flatMap((spans) => {
      const folders = spans.filter((span) => span.includes('/')).map((path) => path.replace(/[^/]*$/, ''));
      const isThere = (name: string) => ['', ...folders].some((folder) => existsSync(new URL(folder + name, root)));
      return spans.filter((span) => /^[\w-]+(?:\.test)?\.(?:ts|json)$/.test(span)).map((name) => [name, isThere(name)]);
    });
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter(([, isThere]) => !isThere)).toEqual([]);
    // `<resource>` stands for any folder.
    const patterns = sections.flat().filter((span) => /^[\w/-]+\/<\w+>\//.test(span));
    expect(patterns.length).toBeGreaterThan(0);
    const matching = (pattern: string) => new RegExp(`^${pattern.replace(/<\w+>/, '[\\w-]+')}$`);
    expect(patterns.filter((pattern) => !sources.some((path) => matching(pattern).test(path)))).toEqual([]);
  });

  test('name functions, types, settings and routes that the files beside them have', () => {
    const all = files.map(read).join('\n');
    const words = sections.flatMap((spans) => {
      const isNamed = (file: string) =>
        spans.some((span) => file === span || (span.endsWith('/') && file.startsWith(span)));
      const text = files.filter(isNamed).map(read).join('\n') || all;
      const has = (word: string) =>
        new RegExp(`(?<![\\w$])${word.replaceAll('.', '\\.')}(?![\\w$])`).test(/^[A-Z_]+$/.test(word) ? all : text);
      const isWord = (span: string) => /^[A-Za-z_]\w*(?:\.\w+)*$/.test(span) && !/\.(?:ts|json)$/.test(span);
      return spans
        .map((span) => span.replace(/=\d$/, ''))
        .filter(isWord)
        .map((word) => ({ word, isThere: has(word) }));
    });
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter(({ isThere }) => !isThere)).toEqual([]);
    const { paths } = JSON.parse(read('service/openapi.json'));
    const routes = sections.flat().flatMap((span) => [...span.matchAll(/^(GET|POST) (\/\S+)$/g)]);
    expect(routes.length).toBeGreaterThan(0);
    const isRoute = ([, method = '', path = '']: readonly string[]) =>
      Object.hasOwn(paths[path.replace(/:(\w+)/g, '{$1}')] ?? {}, method.toLowerCase());
    expect(routes.filter((route) => !isRoute(route)).map(([span]) => span)).toEqual([]);
  });

  test('are short', () => {
    expect(Buffer.byteLength(read('CONTRIBUTING.md'))).toBeLessThanOrEqual(9000);
  });
});

describe('the pages of the docs', () => {
  test('contain no lines of an unresolved merge', () => {
    const unresolved = ['CHANGELOG.md', ...pages].filter((page) => /^(?:<{7}|={7}|>{7})/m.test(read(page)));
    expect(unresolved).toEqual([]);
  });
});

describe('the samples of the docs', () => {
  test('are listed with the test that runs them, or with the reason why none runs them', () => {
    const all = samplesIn(...programLanguages);
    expect(all.length).toBeGreaterThan(60);
    const isChecked = (sample: Sample) =>
      isOfService(sample) || (sample.language === 'sh' && linesOf(sample).every(isCommandOfRepository));
    const listed = [...Object.values(testedSamples).flat(), ...Object.keys(notRun)];
    const missing = all.filter((sample) => !isChecked(sample) && !listed.includes(sample.name));
    expect(missing.map(({ name }) => name)).toEqual([]);
    const names = samplesIn(...programLanguages, '').map(({ name }) => name);
    expect(listed.filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(testedSamples).filter((file) => !tests.includes(file))).toEqual([]);
    expect(read('docs/guarantees.md')).toContain(`${Object.keys(notRun).length} samples`);
  });

  test('name existing scripts, projects and files of the repository', () => {
    const scriptsIn = (folder: string): object => JSON.parse(read(`${folder}package.json`)).scripts;
    const commands = samplesIn('sh').flatMap(linesOf).filter(isCommandOfRepository);
    for (const command of commands.flatMap((line) => line.replace(/ +#.*$/, '').split('&&'))) {
      const [, options = '', script] =
        /npm (?:run )?((?:--\S+ (?:service |demo |bench )?)*)(?:run )?([\w:-]+)/.exec(command) ?? [];
      const [folder = ''] = /(?:service|demo|bench)/.exec(options) ?? [];
      if (script && script !== 'ci') expect(Object.keys(scriptsIn(folder && `${folder}/`)), command).toContain(script);
      for (const [path] of command.matchAll(/\b(?:scripts|service|test|docs)\/[\w./-]+\.\w+/g)) {
        expect(existsSync(new URL(path.replace('service/dist/main.js', 'service/src/main.ts'), root)), path).toBe(true);
      }
    }
  });

  test('pass what a page sends on to the client with browserOf and an address', () => {
    const calls = samplesIn('js', 'ts').filter(({ code }) => /\bwhorl\.(?:evaluate|reportFailure)\(\{/.test(code));
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter(({ code }) => !/\.\.\.browserOf\(|= browserOf\(/.test(code) || !/\bip\b/.test(code))).toEqual(
      [],
    );
  });

  test('contain the page of the PHP example', () => {
    const page = read('examples/script-tag-php/index.html').replaceAll('{{WHORL_URL}}', 'https://whorl.example.com');
    expect(sample('docs/other-languages.md, The page, 1').code).toBe(page);
  });

  test('in JSON are valid JSON', () => {
    for (const { name, code } of samplesIn('json')) expect(() => JSON.parse(code), name).not.toThrow();
  });
});

const linesOf = ({ code }: Sample) => code.split('\n').filter((line) => line.trim() !== '');

test('the release workflow pins its actions by commit, and runs existing scripts and files', () => {
  const workflow = read('.github/workflows/release.yml');
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
  for (const [, script] of workflow.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toContain(script);
  expect(existsSync(new URL('.ci/run', root))).toBe(true);
});

describe('the links of the docs', () => {
  const all = [...pages, 'llms.txt', 'CHANGELOG.md', 'demo/README.md', 'examples/README.md', 'bench/README.md'];
  const links = all.flatMap((page) => linksIn(page).map((to) => ({ page, to })));

  /** Relative links resolve to files, also on npm, which resolves them in the repository from package.json. */
  test('lead to files, and to headings, that exist', () => {
    const relative = links.filter(({ to }) => !/^[a-z]+:/.test(to));
    expect(relative.length).toBeGreaterThan(100);
    expect(relative.filter(({ page, to }) => !exists(page, to))).toEqual([]);
  });

  test('of the README stay inside the repository', () => {
    const own = links.filter(({ page, to }) => page === 'README.md' && !/^(?:https:|#)/.test(to));
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter(({ to }) => /^(?:\/|\.\.|[a-z]+:)/.test(to))).toEqual([]);
  });

  test('to the project itself are those of package.json', () => {
    const { repository, homepage, bugs } = JSON.parse(read('package.json'));
    const address = 'https://github.com/whorl-id/whorl';
    expect({ repository, homepage, bugs }).toEqual({
      repository: { type: 'git', url: `git+${address}.git` },
      homepage: `${address}#readme`,
      bugs: { url: `${address}/issues` },
    });
    const files = links.flatMap(({ to }) => to.split(`${address}/blob/main/`)[1] ?? []);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    const elsewhere = links.filter(({ to }) => /\/whorl(?:[/#]|$)/.test(to) && /^https?:\/\/git/.test(to));
    expect(elsewhere.filter(({ to }) => !to.startsWith(address))).toEqual([]);
  });
});

/** Returns the targets of a page's links and images, outside of code. */
function linksIn(page: string): string[] {
  const text = read(page)
    .replace(/^ *```.*?^ *```$/gms, '')
    .replace(/`[^`\n]*`/g, '');
  const targets = [
    ...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|<(?:img|source|a)\s[^>]*(?:src|srcset|href)="([^"]+)"/g),
  ];
  return targets.map(([, inMarkdown, inHtml]) => inMarkdown ?? inHtml ?? '');
}

function exists(page: string, to: string): boolean {
  const [path = '', heading] = to.split('#');
  const file = path ? new URL(decodeURIComponent(path), new URL(page, root)) : new URL(page, root);
  if (!file.href.startsWith(root.href) || !existsSync(file)) return false;
  return heading === undefined || anchorsIn(readFileSync(file, 'utf8')).includes(heading);
}

/** Returns the anchors of a page: those that GitHub creates for headings, and explicit ones. */
function anchorsIn(text: string): string[] {
  const headings = [...text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)];
}
