import { expect } from 'vitest';
import type { DatabaseKind } from '../../src/db/database.js';
import { administratorAt } from './admin.js';
import { type Customer, customerOf, home, laptop, origin } from './customer.js';
import { openSecondApp, type SecondApp } from './second-app.js';
import { startService, type TestProject, type TestService } from './service.js';
import type { SeenPage, Visitor } from './visitor.js';

/** A project with its server, and an administrator, `ines@example.com`, who looks at its live world. */
export interface DashboardShop {
  readonly service: TestService;
  /** Where the dashboard is, and what it logs. */
  readonly app: SecondApp;
  readonly project: TestProject;
  readonly customer: Customer;
  readonly visitor: Visitor;
  /** What the paths of the world begin with. */
  readonly base: string;
  /** A page of the world, whatever it answers. */
  open(path: string): Promise<SeenPage>;
  /** The same, which has to be there. */
  shown(path: string): Promise<SeenPage>;
  /** Posts a form of the world, with the mark of the session. */
  post(path: string, fields?: Record<string, string>): Promise<SeenPage>;
  /** Walks through a list from its beginning to its end, and answers what each part shows. */
  walk<Item>(path: string, name: string, read: (page: SeenPage) => Item[]): Promise<Item[]>;
  /** Attaches a laptop at home, unless told otherwise. */
  attach: (user: string, more?: object) => ReturnType<Customer['ask']>;
  /** The service's id of a user. */
  userIdOf(name: string): Promise<string>;
  close(): Promise<void>;
}

export async function openDashboardShop(database: DatabaseKind): Promise<DashboardShop> {
  const service = await startService({ database });
  const app = await openSecondApp(service.service);
  const project = await service.newProject({ allowed_origins: [origin] });
  const customer = customerOf(service, project);
  const visitor = await administratorAt(app.url, service.service, 'ines@example.com');
  const base = `/dashboard/${project.project.id}/live`;
  await visitor.get(`${base}/users`);
  // What each form of the session carries.
  const csrf = visitor.fields().get('csrf') ?? '';
  const open = (path: string) => visitor.get(base + path).then(tidied);
  return {
    ...{ service, app, project, customer, visitor, base, open },
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

/** As a person reads it: without a space before a comma that elements leave. */
function tidied(page: SeenPage): SeenPage {
  return { ...page, text: page.text.replace(/ ([,;])/g, '$1') };
}
