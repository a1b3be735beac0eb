import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build, type InlineConfig } from 'vite';
import type { ChallengeWith, NextProtection } from 'whorl/next';
import type { Whorl } from 'whorl/server';
import { type InstalledPackage, installPackage } from '../../package/installed';
import { call, codeOf, importModule, installedClient, type Members, withoutTypes } from '../../package/run-sample';
import { chromium } from '../harness/chromium';
import { CONSOLE_PATH, CONSOLE_SCRIPT, isWebKit, withConsoleScript } from '../harness/console-for-webkit';
import { freePort } from '../harness/free-port';
import { openSession } from '../harness/shared-browsers';
import type { Engine, TestPage } from '../harness/types';
import { type DemoServer, startDemo } from './demo';

declare global {
  interface Window {
    /** Exports of the sample in the page. */
    sample: Record<string, (...args: unknown[]) => unknown>;
  }
}

/** An account that is unknown to the service. */
export interface Account {
  readonly id: string;
  readonly email: string;
}

/** Handles requests of a page to a path. */
export type Handler = (body: Record<string, unknown>, ip: string, headers?: Headers) => unknown;

/** The frameworks of the page adapters. */
const frameworks = ['react', 'react-dom', 'svelte', 'vue'];

/** A module in the page. Its file name determines how it is built. */
export interface PageModule {
  readonly code: string;
  readonly file?: string;
  /** Runs the module. Default: puts its exports into `window.sample`. */
  readonly entry?: string;
  readonly html?: string;
  /** Returns the build's own settings. Modules with the same code and the same function share one build. */
  readonly vite?: () => InlineConfig;
}

/** Environment in which the samples of the docs run: the real service, the packed package, a site, and a browser. */
export class Playground {
  /** Handlers of the site's requests, by path. A `Response` is passed on; anything else is sent as JSON. */
  handlers: Record<string, Handler> = {};
  private readonly files = new Map<string, string>();
  /** The page in the first browser of each engine. */
  private readonly pages = new Map<Engine, TestPage>();
  private readonly builds: { readonly key: readonly unknown[]; readonly bundle: string }[] = [];

  private constructor(
    readonly origin: string,
    readonly demo: DemoServer,
    readonly project: Awaited<ReturnType<DemoServer['project']>>,
    /** The page in the browser that was opened last. */
    public page: TestPage,
    readonly installed: InstalledPackage,
    private readonly closers: (() => unknown)[],
  ) {}

  /** @param alsoInstalled Packages of the repository that the site's modules may import too. */
  static async open(engine: Engine = chromium, alsoInstalled: readonly string[] = frameworks): Promise<Playground> {
    const closers: (() => unknown)[] = [];
    try {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const demo = await startDemo({ WHORL_DEMO_ORIGINS: origin });
      closers.push(demo.close);
      const installed = await installPackage(alsoInstalled);
      closers.push(installed.remove);
      const session = await openSession(engine);
      closers.push(session.close);
      const page = await session.open();
      const playground = new Playground(origin, demo, await demo.project(), page, installed, closers);
      playground.pages.set(engine, page);
      const server = playground.serve(port);
      closers.push(() => {
        server.close();
        server.closeAllConnections();
      });
      return playground;
    } catch (error) {
      for (const close of closers.reverse()) await close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const close of [...this.closers].reverse()) await close();
  }

  /** Opens the next pages in another browser. */
  async launch(engine: Engine): Promise<void> {
    const session = await openSession(engine);
    this.closers.push(session.close);
    this.page = await session.open();
  }

  /** Opens the next pages in the first browser of an engine, which is started if it is not running yet. */
  async use(engine: Engine): Promise<void> {
    const page = this.pages.get(engine);
    if (page) this.page = page;
    else await this.launch(engine);
    this.pages.set(engine, this.page);
  }

  /** Client options of the site's server. */
  client(): Promise<Whorl> {
    return installedClient(this.installed, { apiSecret: this.project.secret, baseUrl: this.demo.serviceUrl });
  }

  /** Returns the code of a sample, with the keys and URLs of this playground instead of the docs' own. */
  code(name: string): string {
    const { id, publishable } = this.project;
    return codeOf(name, { serviceUrl: this.demo.serviceUrl, publishable, projectId: id });
  }

  /** Bundles a module like a typical build and opens a page that runs it. */
  async openModule(code: string, files: Record<string, string> = {}): Promise<void> {
    await this.openApplication({ code: withoutTypes(code) }, files);
  }

  /** Bundles an application with its own build settings, and opens it. */
  async openApplication(application: PageModule, files: Record<string, string> = {}): Promise<void> {
    const { code, file, entry, html = '', vite } = application;
    const key = [code, file, entry, vite];
    const made = this.builds.find((other) => other.key.every((part, index) => part === key[index]));
    const bundle = made?.bundle ?? (await this.bundle(application));
    if (!made) this.builds.push({ key, bundle });
    await this.openPage(`${html}<script type="module" src="/bundle.js"></script>`, { ...files, '/bundle.js': bundle });
  }

  private async bundle({
    code,
    file = 'sample.js',
    entry = "import * as sample from './FILE';\nwindow.sample = sample;\n",
    vite,
  }: PageModule): Promise<string> {
    const folder = mkdtempSync(join(this.installed.folder, 'page-'));
    writeFileSync(join(folder, file), code);
    writeFileSync(join(folder, 'entry.js'), entry.replaceAll('FILE', file));
    const result = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      ...vite?.(),
      build: { write: false, target: 'esnext', rollupOptions: { input: join(folder, 'entry.js') } },
    });
    if (!('output' in result)) throw new Error('Vite gave no single output.');
    return result.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
  }

  /** Opens a page with this markup. */
  async openPage(html: string, files: Record<string, string> = {}): Promise<void> {
    this.files.clear();
    for (const [path, content] of Object.entries({
      ...files,
      '/': `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">${html}`,
    })) {
      this.files.set(path, content);
    }
    await this.page.goto(`${this.origin}/`);
  }

  /** Calls an export of the module in the page. */
  call<Result>(name: string, ...args: unknown[]): Promise<Result> {
    return this.page.evaluate(async (member, given) => (await window.sample[member]?.(...given)) as Result, name, args);
  }

  /** Runs a server sample with the given declarations and returns its exports. */
  importModule(code: string, declared: object = {}): Promise<Members> {
    process.env.WHORL_API_SECRET = this.project.secret;
    return importModule(this.installed, code, declared);
  }

  /**
   * Handles the requests of the docs' login with an adapter, and returns the paths that were requested, with the errors
   * of the service in between. Every password is right, except `wrong`. `challengeWith` is the adapter's option.
   */
  async serveLogin(account: Account, baseUrl = this.demo.serviceUrl, challengeWith?: ChallengeWith): Promise<string[]> {
    const server = await this.importModule(`
      import { whorlNext } from 'whorl/next';
      import { Whorl } from 'whorl/server';
      export const protect = (apiSecret, baseUrl, challengeWith, onUnavailable) => {
        const whorl = new Whorl({ apiSecret, baseUrl, retries: 0, timeoutMs: 30_000 });
        const clientAddress = () => undefined;
        return whorlNext({ whorl, whenUnavailable: 'deny', clientAddress, challengeWith, onUnavailable });
      };`);
    const requests: string[] = [];
    const given = [this.project.secret, baseUrl, challengeWith, (cause: unknown) => requests.push(String(cause))];
    const adapter = call<NextProtection>(server, 'protect', ...given);
    const requestOf = (path: string, body: object, headers = new Headers()) => {
      requests.push(path);
      return new Request(this.origin + path, { method: 'POST', body: JSON.stringify(body), headers });
    };
    for (const path of ['nonce', 'open', 'send', 'begin', 'verify'].map((name) => `/whorl/${name}`)) {
      this.handlers[path] = (body, _ip, headers) => adapter.routes().POST(requestOf(path, body, headers));
    }
    this.handlers['/login'] = async (body, _ip, headers) => {
      const request = requestOf('/login', body, headers);
      if (body.password === 'wrong') return Response.json({ detail: 'Wrong password.' }, { status: 401 });
      const attempt = { action: 'login', user: account.id, email: account.email };
      const { response } = await adapter.decide(request, attempt);
      return response ?? { user: account.id };
    };
    return requests;
  }

  private serve(port: number): Server {
    const modules = join(this.installed.folder, 'node_modules');
    return createServer(async (request, response) => {
      const path = (request.url ?? '/').replace(/\?.*/, '');
      const handler = this.handlers[path];
      if (handler) {
        const body = JSON.parse((await text(request)) || '{}');
        const { cookie = '', host = '', origin = '' } = request.headers;
        const headers = new Headers({ cookie, host, ...(origin && { origin }) });
        const answer = await handler(body, request.socket.remoteAddress ?? '', headers);
        const sent = answer instanceof Response ? answer : Response.json(answer);
        response.writeHead(sent.status, Object.fromEntries(sent.headers)).end(await sent.text());
        return;
      }
      if (path === CONSOLE_PATH)
        return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(CONSOLE_SCRIPT);
      const [, name = ''] = /^\/([\w-]+\.min\.js)$/.exec(path) ?? [];
      const content =
        this.files.get(path) ?? readIfThere(name ? join(modules, 'whorl/dist', name) : fileOf(modules, path));
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
      const isHooked = type.startsWith('text/html') && isWebKit(request.headers['user-agent']);
      response
        .writeHead(content === undefined ? 404 : 200, { 'Content-Type': type })
        .end(isHooked ? withConsoleScript(String(content ?? '')) : content);
    }).listen(port, '127.0.0.1');
  }
}

/** Returns the file for a path. The README has sites serve these folders for an ES module without a bundler. */
function fileOf(modules: string, path: string): string {
  const [, folder = '', rest = ''] = /^\/(whorl|idb-keyval)\/([\w./-]+)$/.exec(path) ?? [];
  return folder ? join(modules, folder, 'dist', rest) : '';
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
