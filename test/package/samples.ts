import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRepositoryFile, root } from './installed.js';

/** A fenced block of code in the docs. */
export interface Sample {
  /** Page, heading, and number under that heading: `README.md, Use it, 1`. */
  readonly name: string;
  readonly page: string;
  readonly language: string;
  readonly code: string;
}

/** The pages whose samples are tested. */
export const samplePages = [
  'README.md',
  'CONTRIBUTING.md',
  'src/collector/readings/README.md',
  'test/browser/README.md',
  'demo/README.md',
  'examples/README.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .sort(),
];

/** The libraries that docs/migrating.md runs beside Whorl with a bundler. */
export const oldLibraries = ['@fingerprintjs/fingerprintjs', '@thumbmarkjs/thumbmarkjs', 'rupt'];

/** The languages whose samples are programs, which a test must run. */
export const programLanguages = [
  'js',
  'jsx',
  'ts',
  'html',
  'svelte',
  'vue',
  'sh',
  'python',
  'php',
  'go',
  'ruby',
  'java',
];

/** The samples that tests run, by the file of the test. */
export const testedSamples: Readonly<Record<string, readonly string[]>> = {
  'service/test/http/adapter-samples.test.ts': [
    'docs/adapters.md, Express, 1',
    'docs/adapters.md, Fastify, 1',
    'docs/adapters.md, Hono, 1',
    'docs/adapters.md, Next, 1',
    'docs/adapters.md, Next, 2',
    'docs/adapters.md, Next, 3',
  ],
  'test/browser/page-adapters.test.ts': [
    'docs/adapters-pages.md, React, 1',
    'docs/adapters-pages.md, Vue, 1',
    'docs/adapters-pages.md, Vue, 2',
    'docs/adapters-pages.md, Without a framework, 1',
    'docs/adapters-pages.md, Without a framework, 2',
    'docs/adapters-pages.md, Svelte, 1',
  ],
  'test/browser/page-adapters-form.test.ts': ['docs/adapters-pages.md, React, 2'],
  'service/test/http/adapter-devices.test.ts': ['docs/devices-page.md, On the server, 1'],
  'test/browser/devices-page.test.ts': ['docs/devices-page.md, On the page, 1'],
  'service/test/http/project-file.test.ts': ['docs/settings-as-code.md, Over HTTP, 2'],
  'service/test/http/sign-in.test.ts': [
    'docs/sign-in.md, better-auth, 1',
    'docs/sign-in.md, Auth.js, 1',
    'docs/sign-in.md, Passport, 1',
  ],
  'test/browser/demo-quick-start.test.ts': [
    'docs/quick-start.md, 2. Your application, 2',
    'docs/quick-start.md, 2. Your application, 3',
    'docs/quick-start.md, With npm, 1',
    'docs/quick-start.md, With npm, 2',
    'docs/quick-start.md, With a script tag, 1',
    'docs/quick-start.md, With a script tag, 2',
    'docs/quick-start.md, 4. Your server, 1',
  ],
  'test/browser/docs-samples.test.ts': [
    'README.md, Whorl, 2',
    'README.md, Use it, 1',
    'docs/evaluate.md, In a page with a bundler, 1',
    'docs/evaluate.md, With a script tag, 1',
    'docs/evaluate.md, On your server, 1',
    'docs/evaluate.md, Where no verdict came, 1',
    'docs/events.md, The events of a device, 1',
    'docs/events.md, The events of a device, 2',
    'docs/package.md, With a script tag, 1',
    'docs/package.md, As an ES module without a bundler, 1',
    'docs/package.md, Inspect the readings, 1',
    'docs/package.md, Inspect the readings, 2',
  ],
  'test/browser/docs-samples-login.test.ts': [
    'docs/sign-in.md, In the page, 1',
    'docs/sign-in.md, Auth.js, 2',
    'docs/assistants.md, A login, 1',
    'docs/assistants.md, A login, 2',
    'docs/migrating.md, Carry over known devices, 1',
    'docs/migrating.md, FingerprintJS, 1',
    'docs/migrating.md, ThumbmarkJS, 1',
    'docs/migrating.md, ClientJS, 1',
    'docs/migrating.md, ClientJS, 2',
    'docs/migrating.md, rupt, 1',
  ],
  'test/package/docs-samples.test.ts': [
    'docs/README.md, Whorl, 1',
    'docs/agents.md, Declared agents, 1',
    'docs/package.md, Compare two fingerprints, 1',
    'docs/package.md, Compare two fingerprints, 2',
    'docs/package.md, Compare two fingerprints, 3',
    'docs/server.md, Lists, 1',
    'docs/server.md, Errors, 1',
    'docs/server.md, Report failures, 1',
    'docs/server.md, When the service is unreachable, 1',
    'docs/uses/account-sharing.md, Your code, 1',
    'docs/uses/referral-fraud.md, Your code, 1',
    'docs/webhooks.md, The first webhook, 2',
  ],
  'test/package/other-languages.test.ts': [
    ...[1, 2, 3, 4, 5, 6].map((number) => `docs/other-languages.md, A login with curl, ${number}`),
    'docs/other-languages.md, Python, 1',
    'docs/other-languages.md, Python, with PyJWT, 1',
  ],
  'test/unit/docs.test.ts': ['docs/other-languages.md, The page, 1'],
  'test/package/samples-types.test.ts': [
    'docs/adapters.md, Express, 3',
    'docs/adapters.md, Next, 4',
    'docs/sign-in.md, Passport, 2',
  ],
  'service/test/http/docs-commands.test.ts': ['docs/operating.md, Replacing the master secret, 1'],
};

/** The samples that no test runs, with the reason. Commands are handled by `isCommandOfRepository` and `isOfService`. */
export const notRun: Readonly<Record<string, string>> = {
  'test/browser/README.md, Add a browser test, 1': 'The outline of a test, with its body left out.',
  'docs/adapters.md, Without a script, 1': 'Two forms; adapter-binding.test.ts sends what they send.',
  'docs/adapters.md, Express, 2': 'One route of an application; adapters.test.ts has the same one.',
  'docs/adapters.md, Your own factor, 1':
    'An option of an application; passkey.test.ts plays the same one in examples/passkey.',
  'docs/adapters.md, Sign-ups, and what is decided, 1':
    'One route of an application; examples.test.ts plays the same one in each example.',
  'docs/adapters.md, Before you start, 1': 'Settings of a development server; tests serve what Vite has built.',
  'docs/addresses.md, Changed files, 1': 'Downloads a file of the Tor Project.',
  'README.md, Whorl, 1': 'The package is not in the registry yet. Tests install the packed file.',
  'docs/package.md, Install, 1': 'The same.',
  'docs/quick-start.md, 2. Your application, 1': 'The same. demo-quick-start.test.ts creates the folder.',
  'docs/quick-start.md, 5. Run it, 1': 'demo-quick-start.test.ts runs it, with the keys filled in.',
  'docs/webhooks.md, On your own machine, 1': 'Starts the service, which runs until it is stopped.',
  'docs/deploying.md, One machine, 1': 'Needs Docker. dockerfile.test.ts runs the instructions of the image.',
  'docs/deploying.md, Kubernetes, 1': 'Needs Kubernetes. deploy-files.test.ts checks the manifests.',
  'docs/deploying.md, Backup and restore, 1': 'deploy.test.ts runs both scripts on databases of its own.',
  'docs/deploying.md, Monitoring, 1': 'deploy.test.ts runs both commands.',
  'docs/high-availability.md, Three machines, 1': 'Installs packages of Debian. bench/failover/ runs the programs.',
  'docs/high-availability.md, Three machines, 5': 'Needs the three machines. bench/failover/ does the same.',
  'docs/operating.md, Moving to PostgreSQL, 1': 'move.test.ts runs it on databases of its own.',
  'docs/operating.md, Start, 2': 'Builds a container image, for which a machine needs Docker.',
  'docs/operating.md, Sign-in with OpenID Connect, 1':
    'Variables of the environment; sign-in-config.test.ts and openid-connect.test.ts use them.',
};

/** All samples of these languages, in the order of the pages. */
export function samplesIn(...languages: readonly string[]): Sample[] {
  return samplePages.flatMap(samplesOf).filter(({ language }) => languages.includes(language));
}

/**
 * Returns the sample of this name.
 *
 * @throws Error if the docs have no such sample, or if {@link testedSamples} does not list it.
 */
export function sample(name: string): Sample {
  if (!Object.values(testedSamples).flat().includes(name)) throw new Error(`testedSamples does not list "${name}".`);
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

/** Returns whether a shell line builds, tests, measures or starts this repository. Tests check that its names exist. */
export function isCommandOfRepository(line: string): boolean {
  return line
    .replace(/ +#.*$/, '')
    .split('&&')
    .map((command) => command.trim().replace(/^(?:[A-Z_]+=\S+ )+/, ''))
    .every((command) => /^(?:npm (?:ci|test|run|--prefix)|npx vitest run|node (?:scripts|service)\/)/.test(command));
}

/** Returns whether a shell block consists of commands of the service, which can be run in order. */
export function isOfService({ language, code }: Sample): boolean {
  return language === 'sh' && /^(?:[A-Z_]+=\S+ )*whorl-service /.test(code);
}
