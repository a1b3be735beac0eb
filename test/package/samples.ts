import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRepositoryFile, root } from './installed.js';

/** A fenced block of code in the docs. */
export interface Sample {
  /** Its page, the heading above it, and its number under that heading: `README.md, On your server, 1`. */
  readonly name: string;
  readonly page: string;
  readonly language: string;
  readonly code: string;
}

/** The pages whose samples are run. */
export const samplePages = [
  'README.md',
  'CONTRIBUTING.md',
  'demo/README.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .sort(),
];

/** The only samples that no test runs, with the reason. Samples of commands are treated by `isCommandOfRepository`. */
export const notRun: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md, Add a browser test, 1': 'The outline of a test, with its body left out.',
  'README.md, In the page, with a bundler, 1': 'The package is not in the registry yet; tests install the packed file.',
  'docs/quick-start.md, 2. Your application, 1': 'As above, in an empty folder: demo-quick-start.test.ts makes one.',
  'docs/quick-start.md, With npm, 3': 'Installs Vite from the registry; demo-quick-start.test.ts runs it.',
  'docs/quick-start.md, 5. Run it, 1': 'demo-quick-start.test.ts runs it, with the keys filled in.',
  'docs/webhooks.md, On your own machine, 1': 'Starts the service, which runs until it is stopped.',
  'docs/operating.md, Start, 2': 'Builds a container image, for which a machine needs Docker.',
};

/** All samples of these languages, in the order of the pages. */
export function samplesIn(...languages: readonly string[]): Sample[] {
  return samplePages.flatMap(samplesOf).filter(({ language }) => languages.includes(language));
}

/** The sample of this name. */
export function sample(name: string): Sample {
  const found = samplesOf(name.split(', ')[0] ?? '').find((each) => each.name === name);
  if (!found) throw new Error(`The docs have no sample "${name}".`);
  return found;
}

function samplesOf(page: string): Sample[] {
  const text = readRepositoryFile(page);
  const samples: Sample[] = [];
  let heading = '';
  let number = 0;
  for (const [, title, indent = '', language = '', code = ''] of text.matchAll(
    /^#+ ([^\n]*)$|^( *)```(\w*)\n(.*?)^ *```$/gms,
  )) {
    if (title !== undefined) {
      heading = title.replaceAll('`', '');
      number = 0;
      continue;
    }
    number += 1;
    const lines = code.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    samples.push({ name: `${page}, ${heading}, ${number}`, page, language, code: lines.join('\n') });
  }
  return samples;
}

/** Whether a line of shell builds, tests, measures or starts this repository: what it names is checked to exist. */
export function isCommandOfRepository(line: string): boolean {
  return line
    .replace(/ +#.*$/, '')
    .split('&&')
    .map((command) => command.trim().replace(/^(?:[A-Z_]+=\S+ )+/, ''))
    .every((command) => /^(?:npm (?:ci|test|run|--prefix)|npx vitest run|node (?:scripts|service)\/)/.test(command));
}

/** Whether a block of shell is made of the service's commands, which can be run one after the other. */
export function isOfService({ language, code }: Sample): boolean {
  return language === 'sh' && /^(?:[A-Z_]+=\S+ )*whorl-service /.test(code);
}
