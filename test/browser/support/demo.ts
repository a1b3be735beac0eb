import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedTemplate } from '../../../service/test/support/embedded-template';
import { engineOptions } from '../../../service/test/support/engine-options';
import { copyFolder } from '../../../service/test/support/folders';
import { freePort } from '../harness/free-port';
import { startTethered, type TetheredProcess } from '../harness/tethered-process';
import type { TestPage } from '../harness/types';
import { until } from '../harness/until';
import { runServiceCommand, wordsOf } from './service';

/** Latest build of the demo's server. */
export const demoProgram = fileURLToPath(new URL('../../../demo/dist/server/main.js', import.meta.url));

/** Time limit for starting the demo, which creates its project before it starts the service. */
export const DEMO_START_MS = 480_000;

export interface DemoServer {
  url(path: string): string;
  readonly serviceUrl: string;
  /** ID of the project, and the keys that the demo uses. */
  project(): Promise<{ id: string; secret: string; publishable: string }>;
  close(): Promise<void>;
}

/** Fingerprints of browsers that do not exist. */
const elsewhere = [
  'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA',
  'w1.mac156.QdL4x0aRk2Pz9vTn3cYw7uHbrQ7d.Ge5sWm1oVq8jXt6yKf2rZp0dNl4hBiCaTu9E.JwSv3nRb7xQm5gYk1eDo.AAAA',
] as const;

/**
 * Starts the complete demo on free ports, in a new folder. It uses test keys, because live keys challenge an automated
 * browser. Its database already has tables; starting from nothing is tested separately.
 *
 * @param settings Changed with the service's command line before the last start.
 */
export async function startDemo(
  environment: NodeJS.ProcessEnv = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<DemoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'whorl-demo-'));
  const database = join(folder, 'service');
  await mkdir(database);
  await copyFolder(await embeddedTemplate(), database);
  // Chosen here, because the demo does not hold its ports at all times, and changes its project's settings and webhooks if it
  // is started again at others.
  const [port, servicePort] = [await freePort(), await freePort()];
  const start = () => runDemo({ ...demoEnvironment(folder, servicePort), PORT: String(port), ...environment });
  let demo: RunningDemo | undefined;
  const close = async () => {
    await demo?.server.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    demo = await start();
    if (Object.keys(settings).length) {
      // One process at a time can open the database.
      await demo.server.end();
      const words = ['settings', 'set', '--project', 'Whorl demo', ...wordsOf(settings)];
      await runServiceCommand(words, { ...process.env, DATA_FOLDER: database });
      demo = await start();
    }
    const { address, serviceUrl } = demo;
    const project = async () => {
      const { id, keys } = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'));
      return { id, ...keys.test };
    };
    return { url: (path) => address + path, serviceUrl, project, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface RunningDemo {
  readonly server: TetheredProcess;
  readonly address: string;
  readonly serviceUrl: string;
}

/** Starts the demo's program, and waits for its URLs. */
async function runDemo(environment: NodeJS.ProcessEnv): Promise<RunningDemo> {
  const server = startTethered(process.execPath, [...engineOptions, demoProgram], environment);
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (said += text));
  try {
    const addresses = await until(
      'The start of the demo',
      () => (server.running() ? addressesIn(said) : { address: '', serviceUrl: '' }),
      { timeoutMs: DEMO_START_MS },
    );
    if (!addresses.address) throw new Error(`The demo did not start: ${said}`);
    return { server, ...addresses };
  } catch (error) {
    await server.end();
    throw error;
  }
}

/** Returns the URLs that the demo printed, once it has printed both. */
export function addressesIn(said: string): { address: string; serviceUrl: string } | undefined {
  // The service also prints URLs of its own, such as that of its dashboard.
  const [, address] = /^Whorl demo: (\S+)$/m.exec(said) ?? [];
  const [, serviceUrl] = /^The service behind it: ([^\s,]+), /m.exec(said) ?? [];
  return address && serviceUrl ? { address, serviceUrl } : undefined;
}

/** Returns an environment with a free port for the pages that stores all data in a folder. */
export function demoEnvironment(folder: string, servicePort: number): NodeJS.ProcessEnv {
  const ports = { PORT: '0', SERVICE_PORT: String(servicePort) };
  return { ...process.env, ...ports, HOST: 'localhost', DATA_FOLDER: folder, WHORL_DEMO_KEYS: 'test' };
}

/** Waits until the text of the page matches a pattern. */
export async function shows(page: TestPage, pattern: RegExp): Promise<string> {
  const seen = new Set<string>();
  const attempt = async () => {
    const text = String(await page.evaluate("document.readyState === 'complete' && document.body.innerText"));
    seen.add(text);
    return pattern.test(text) ? text : undefined;
  };
  // An error that was shown for a while tells more than what is left of it.
  return until(`A page that shows ${pattern}`, attempt).catch((error: unknown) => {
    throw new Error(`The page does not show ${pattern}, but in turn: ${[...seen].join('\nthen: ')}`, { cause: error });
  });
}

/** Replaces the value of the field with this ID by typing. */
export async function type(page: TestPage, id: string, text: string): Promise<void> {
  await page.evaluate((name) => {
    const field = document.getElementById(name);
    if (!(field instanceof HTMLInputElement)) throw new Error(`There is no field ${name}`);
    field.focus();
    field.select();
  }, id);
  await page.press(...text);
}

/** Clicks the first visible button, radio button or summary with this name. */
export function click(page: TestPage, name: string): Promise<void> {
  return page.evaluate((wanted) => {
    const controls = [...document.querySelectorAll<HTMLElement>('button, label.choice, summary')];
    const control = controls.find(
      (each) => each.checkVisibility() && (each.ariaLabel ?? each.textContent ?? '').trim().startsWith(wanted),
    );
    if (!control) throw new Error(`There is no ${wanted}, but: ${document.body.innerText}`);
    control.click();
  }, name);
}

/** Opens another view of the app. */
export async function goToView(page: TestPage, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

/** Opens a view in a state without a login, and waits until it shows a text. */
export async function openLoggedOut(
  demo: DemoServer,
  page: TestPage,
  ...[path, hash, shown]: readonly [path: string, hash: string, shown: RegExp]
): Promise<void> {
  await page.goto(demo.url(path));
  await page.evaluate(async () => {
    await fetch('/api/log-out', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
  });
  await goToView(page, hash);
  await page.reload();
  await shows(page, shown);
}

/** Sends a POST request like a page of the demo. Returns the cookies for the next request. */
export async function post(demo: Pick<DemoServer, 'url'>, path: string, fields: object, cookies = ''): Promise<string> {
  const response = await fetch(demo.url(`/api/${path}`), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: new URL(demo.url('/')).origin, Cookie: cookies },
    body: JSON.stringify(fields),
  });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Creates an account on a device that belongs to none of the engines. */
export async function signUpElsewhere(demo: Pick<DemoServer, 'url'>, email: string, password: string): Promise<void> {
  await post(demo, 'sign-up', { email, password, fingerprint: elsewhere[0] });
}

/** Requests a code for a login on another device that belongs to none of the engines. */
export async function askForCodeElsewhere(demo: DemoServer, email: string, password: string): Promise<void> {
  const cookies = await post(demo, 'log-in', { email, password, fingerprint: elsewhere[1] });
  await post(demo, 'challenge/send', {}, cookies);
}

/** Waits for a code by email and returns the newest one. */
export function newestCode(demo: DemoServer, email: string): Promise<string> {
  return until(`A code for ${email}`, async () => {
    const text = await firstEvents(demo);
    const mails = [...text.matchAll(/^event: message\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    const newest = mails.findLast(({ to }) => to === email);
    return newest && /\d{3} \d{3}/.exec(newest.body)?.[0].replace(' ', '');
  });
}

/** Returns the first events that the demo sends to a page. */
async function firstEvents(demo: DemoServer): Promise<string> {
  const ending = new AbortController();
  const { body } = await fetch(demo.url('/api/events'), { signal: ending.signal });
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes(': listening')) break;
  }
  ending.abort();
  return text;
}
