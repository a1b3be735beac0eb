// Builds an example and starts it with the service, an embedded database and a mailbox. Ctrl-C stops everything.
//   npm run example react-express
// With WHORL_URL and WHORL_API_SECRET in the environment, the example uses a service that already runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [name = ''] = process.argv.slice(2);
const folder = pathOf(`examples/${name}/`);
const isPhp = existsSync(`${folder}server.php`);
if (!name || !(isPhp || existsSync(`${folder}server.js`))) {
  const names = readdirSync(pathOf('examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  console.error(`Name an example: ${names.map((entry) => entry.name).join(', ')}.`);
  process.exit(1);
}

const { PORT = '3000', WHORL_URL, WHORL_API_SECRET } = process.env;
const service = WHORL_URL ? { WHORL_URL, WHORL_API_SECRET, close: async () => {} } : await startService();
const { close, ...settings } = service;
const environment = { ...settings, PORT };
if (!isPhp)
  await ended(run([process.execPath, pathOf('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error']));
const application = isPhp
  ? run(['php', '-S', `localhost:${PORT}`, 'server.php'], environment)
  : run([process.execPath, 'server.js'], environment);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => application.kill());
if (isPhp) console.log(`http://localhost:${PORT}`);
await ended(application);
await close();

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
function run([program, ...args], environment = {}) {
  return spawn(program, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...environment } });
}

async function ended(child) {
  const [code] = await once(child, 'close');
  if (code) process.exitCode = code;
}
