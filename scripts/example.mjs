// Builds an example and starts it with the service, an embedded database and a mailbox. Ctrl-C stops everything.
//   npm run example react-express [--built]     with --built, it starts the last build
// With WHORL_URL and WHORL_API_SECRET in the environment, the example uses a service that already runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { copyBuild, installExample, isExampleInstalled, separateExamples } from './example-packages.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [name = '', option] = process.argv.slice(2);
const names = readdirSync(pathOf('examples'), { withFileTypes: true })
  // The others are data, and files for applications of your own.
  .filter((entry) => entry.isDirectory() && !['data', 'kratos', 'webhooks'].includes(entry.name))
  .map((entry) => entry.name);
if (!names.includes(name)) {
  console.error(`Name an example: ${names.join(', ')}.`);
  process.exit(1);
}
const folder = pathOf(`examples/${name}/`);
const { PORT = '3000', WHORL_URL, WHORL_API_SECRET } = process.env;

if (separateExamples.includes(name)) {
  if (!isExampleInstalled(name) && !installExample(name)) process.exit(1);
  copyBuild(name);
}
const service = WHORL_URL ? { WHORL_URL, WHORL_API_SECRET, close: async () => {} } : await startService();
const { close, ...settings } = service;
const environment = { ...settings, PORT };
const { builds = [], start, printsUrl } = commandsOf(name);
for (const build of option === '--built' ? [] : builds) if (!process.exitCode) await ended(run(build, environment));
if (!process.exitCode) {
  const application = run(start, environment);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => application.kill());
  if (!printsUrl) console.log(`http://localhost:${PORT}`);
  await ended(application);
}
await close();

/** Returns the programs that build and start an example. They are not run by npm, which does not pass on all signals. */
function commandsOf(name) {
  const node = (path, ...args) => [process.execPath, path, ...args];
  if (name === 'script-tag-php') return { start: ['php', '-S', `localhost:${PORT}`, 'server.php'] };
  if (name === 'hono-workers') return { start: node('node_modules/wrangler/bin/wrangler.js', 'dev', '--port', PORT) };
  if (name === 'next') {
    const next = 'node_modules/next/dist/bin/next';
    return { builds: [node(next, 'build')], start: node(next, 'start') };
  }
  const builds =
    name === 'angular'
      ? [[], ['--configuration', 'script-tag']].map((options) =>
          node('node_modules/@angular/cli/bin/ng.js', 'build', ...options),
        )
      : [node(pathOf('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error')];
  return { builds, start: node('server.js'), printsUrl: true };
}

/** Starts the demo, whose service and mailbox the example uses. Its data is in examples/data/. */
async function startService() {
  const { readOptions } = await import('../demo/dist/server/options.js');
  const { startDemo } = await import('../demo/dist/server/start-demo.js');
  const options = readOptions({ DATA_FOLDER: pathOf('examples/data'), ...process.env, PORT: process.env.DEMO_PORT });
  console.log('Starting the service …');
  const demo = await startDemo(options);
  const { keys } = JSON.parse(readFileSync(`${options.dataFolder}/keys.json`, 'utf8'));
  console.log(`The mailbox, where codes arrive: ${demo.url}/#mailbox`);
  console.log(`The dashboard: ${demo.adminLink ?? `${demo.serviceUrl}/dashboard`}`);
  return { WHORL_URL: demo.serviceUrl, WHORL_API_SECRET: keys[options.keys].secret, close: demo.close };
}

/** Runs a program in the example's folder. */
function run([program, ...args], environment) {
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', WRANGLER_HIDE_BANNER: 'true', CLOUDFLARE_CF_FETCH_ENABLED: 'false' };
  // Wrangler passes the two secrets on that the example's configuration names.
  const variables = { ...process.env, ...quiet, CLOUDFLARE_INCLUDE_PROCESS_ENV: 'true', ...environment };
  return spawn(program, args, { cwd: folder, stdio: 'inherit', env: variables });
}

async function ended(child) {
  const [code] = await once(child, 'close');
  if (code) process.exitCode = code;
}
