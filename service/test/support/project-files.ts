import { addEndpoint, listEndpoints, readSettings } from '../../src/testing.js';
import { keyWithScope } from './api-keys.js';
import { origin } from './customer.js';
import type { ApiOptions, TestProject, TestService } from './service.js';

export const path = '/v2/project';
export const hook = 'http://127.0.0.1:9/hooks';
export const secretHook = 'http://127.0.0.1:9/secret?token=hush';

/** A file that changes each part of a new project. */
export const exampleFile = {
  settings: {
    mode: 'observe',
    device_limit: { overall: 3, mobile: 2 },
    allowed_origins: [origin],
    policy: { signup: { disposable_email: 'deny' } },
  },
  lists: [{ kind: 'address', value: '203.0.113.0/24', effect: 'block', note: 'Scraper' }],
  webhooks: { live: [{ url: hook }], test: [] },
};

/** Where a test reads and writes the file of its project. */
interface Place {
  readonly service: TestService;
  readonly project: TestProject;
  /** A key that may change the project. */
  readonly key: string;
}

/** Returns what reads, writes and compares the file of the project that the test has now. */
export function projectFilesOf(now: () => Place) {
  const keyOf = (project: TestProject) => keyWithScope(now().service, project, 'manage');
  const add = (url: string, mode: 'live' | 'test' = 'live') =>
    addEndpoint(now().service.service, { project: now().project.project.id, mode, url, changedBy: 'test' });
  const get = (own = now().key) => now().service.api(path, { key: own });
  const put = (body: unknown, { headers = { 'If-Match': '*' }, ...options }: ApiOptions & { at?: string } = {}) =>
    now().service.api(options.at ?? path, { method: 'PUT', key: now().key, body, headers, ...options });
  const etagOf = async () => (await get()).headers.get('ETag') ?? '';
  const settings = () => readSettings(now().service.service, { project: now().project.project.id });
  const endpoints = (mode: 'live' | 'test' = 'live') =>
    listEndpoints(now().service.service, { project: now().project.project.id, mode });
  const urls = async (mode: 'live' | 'test' = 'live') => (await endpoints(mode)).map(({ url }) => url);
  /** Returns the log of the project without its creation and the test's own changes. */
  const log = () =>
    now()
      .service.db.selectFrom('audit_log')
      .select(['kind', 'actor', 'changes'])
      .where('project_id', '=', now().project.project.id)
      .where('actor', 'like', 'key %')
      .orderBy('id')
      .execute();

  return { keyOf, add, get, put, etagOf, settings, endpoints, urls, log };
}
