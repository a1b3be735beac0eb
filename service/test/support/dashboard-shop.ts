import { expect } from 'vitest';
import type { DatabaseKind } from '../../src/testing.js';
import { administratorAt } from './admin.js';
import { type Customer, customerOf, home, laptop, origin } from './customer.js';
import { openSecondApp, type SecondApp } from './second-app.js';
import { type StartOptions, startService, type TestProject, type TestService } from './service.js';
import type { SeenPage, Visitor } from './visitor.js';

/** Project with its server, and an administrator, `ines@example.com`, who views its live world. */
export interface DashboardShop {
  readonly service: TestService;
  /** App that serves the dashboard, with its log. */
  readonly app: SecondApp;
  readonly project: TestProject;
  readonly customer: Customer;
  readonly visitor: Visitor;
  /** Path prefix of the world. */
  readonly base: string;
  /** Opens a page of the world and returns any response. */
  open(path: string): Promise<SeenPage>;
  /** Opens a page of the world and fails unless the status is 200. */
  shown(path: string): Promise<SeenPage>;
  /** Posts a form of the world, with the session's CSRF token. */
  post(path: string, fields?: Record<string, string>): Promise<SeenPage>;
  /** Reads all pages of a list and returns the items. */
  walk<Item>(path: string, name: string, read: (page: SeenPage) => Item[]): Promise<Item[]>;
  /** Attaches a device. Default: a laptop at home. */
  attach: (user: string, more?: object) => ReturnType<Customer['ask']>;
  /** Returns the service's ID of a user. */
  userIdOf(name: string): Promise<string>;
  close(): Promise<void>;
}

export async function openDashboardShop(
  database: DatabaseKind,
  options: Pick<StartOptions, 'environment' | 'checkAddressesEveryMs'> = {},
): Promise<DashboardShop> {
  const service = await startService({ database, ...options });
  const app = await openSecondApp(service.service);
  const project = await service.newProject({ allowed_origins: [origin] });
  const customer = customerOf(service, project);
  const visitor = await administratorAt(app.url, service.service, 'ines@example.com');
  const base = `/dashboard/${project.project.id}/live`;
  await visitor.get(`${base}/users`);
  // Every form of the session contains this token.
  const csrf = visitor.fields().get('csrf') ?? '';
  const open = (path: string) => visitor.get(base + path).then(tidied);
  return {
    service,
    app,
    project,
    customer,
    visitor,
    base,
    open,
    async shown(path) {
      const page = await open(path);
      expect(page.status, page.text).toBe(200);
      return page;
    },
    post: (path, fields = {}) => visitor.post(base + path, { csrf, ...fields }),
    async walk(path, name, read) {
      const items = [];
      let next: string | undefined = base + path;
      while (next) {
        const page: SeenPage = await visitor.get(next);
        items.push(...read(page));
        next = new RegExp(`href="([^"]*[?&;]${name}=[^"]+)" rel="next"`).exec(page.html)?.[1]?.replaceAll('&amp;', '&');
        expect(items.length).toBeLessThan(200);
      }
      return items;
    },
    attach: (user, more = {}) => customer.ask('/v2/device/attach', { user, fingerprint: laptop, ip: home, ...more }),
    userIdOf: async (name) => (await customer.ask(`/v2/user/${name}/update`))._id,
    async close() {
      await app.close();
      await service.close();
    },
  };
}

/** Removes spaces before punctuation, which come from element boundaries and are not visible to users. */
function tidied(page: SeenPage): SeenPage {
  return { ...page, text: page.text.replace(/ ([,;])/g, '$1') };
}
