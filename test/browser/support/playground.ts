import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'vite';
import type { Whorl } from 'whorl/server';
import { type InstalledPackage, installPackage } from '../../package/installed';
import { codeOf, importModule, installedClient, type Members, withoutTypes } from '../../package/run-sample';
import { chromium } from '../harness/chromium';
import { freePort } from '../harness/free-port';
import type { TestPage } from '../harness/types';
import { DEMO_START_MS, type DemoServer, startDemo } from './demo';

declare global {
  interface Window {
    /** Exports of the sample in the page. */
    sample: Record<string, (...args: unknown[]) => unknown>;
  }
}

/** Handles POST requests of a page to a path. */
export type Handler = (body: Record<string, unknown>, ip: string) => unknown;

export { DEMO_START_MS as PLAYGROUND_START_MS };

/** Environment in which the samples of the docs run: the real service, the packed package, a site, and Chromium. */
export class Playground {
  /** Handlers of the site's POST requests. A `Response` is passed on; anything else is sent as JSON. */
  handlers: Record<string, Handler> = {};
  private readonly files = new Map<string, string>();
  private written = 0;

  private constructor(
    readonly origin: string,
    readonly demo: DemoServer,
    readonly project: Awaited<ReturnType<DemoServer['project']>>,
    readonly page: TestPage,
    private readonly installed: InstalledPackage,
    private readonly closers: readonly (() => unknown)[],
  ) {}

  /** @param alsoInstalled Packages of the repository that the site's modules may import too. */
  static async open(alsoInstalled: readonly string[] = []): Promise<Playground> {
    const closers: (() => unknown)[] = [];
    try {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const demo = await startDemo({ WHORL_DEMO_ORIGINS: origin });
      closers.push(demo.close);
      const installed = await installPackage(alsoInstalled);
      closers.push(installed.remove);
      const session = await chromium.launch();
      closers.push(session.close);
      const page = await session.open();
      const playground = new Playground(origin, demo, await demo.project(), page, installed, closers);
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
    const folder = join(this.installed.folder, `page-${++this.written}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'sample.js'), withoutTypes(code));
    writeFileSync(join(folder, 'entry.js'), "import * as sample from './sample.js';\nwindow.sample = sample;\n");
    const result = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { write: false, target: 'esnext', rollupOptions: { input: join(folder, 'entry.js') } },
    });
    if (!('output' in result)) throw new Error('Vite gave no single output.');
    const bundle = result.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
    await this.openPage('<script type="module" src="/bundle.js"></script>', { ...files, '/bundle.js': bundle });
  }

  /** Opens a page with this markup. */
  async openPage(html: string, files: Record<string, string> = {}): Promise<void> {
    this.files.clear();
    for (const [path, content] of Object.entries({
      ...files,
      '/': `<!doctype html><title>Shop</title><link rel="icon" href="data:,">${html}`,
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

  private serve(port: number): Server {
    const modules = join(this.installed.folder, 'node_modules');
    return createServer(async (request, response) => {
      const path = (request.url ?? '/').replace(/\?.*/, '');
      const handler = this.handlers[path];
      if (request.method === 'POST' && handler) {
        const answer = await handler(JSON.parse((await text(request)) || '{}'), request.socket.remoteAddress ?? '');
        const { status, body } =
          answer instanceof Response
            ? { status: answer.status, body: await answer.text() }
            : { status: 200, body: JSON.stringify(answer) };
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
        return;
      }
      const [, name = ''] = /^\/([\w-]+\.min\.js)$/.exec(path) ?? [];
      const content =
        this.files.get(path) ?? readIfThere(name ? join(modules, 'whorl/dist', name) : fileOf(modules, path));
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
      response.writeHead(content === undefined ? 404 : 200, { 'Content-Type': type }).end(content);
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
