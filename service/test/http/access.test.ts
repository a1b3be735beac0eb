import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createApp,
  createMetrics,
  listEndpoints,
  listInvitations,
  listKeys,
  listMembers,
  readSettings,
} from '../../src/testing.js';
import { type Cast, castOf, type Walker } from '../access/callers.js';
import { missingIn } from '../access/headers.js';
import { type CallerName, callerNames, outcomeFor, type RouteKind, routeKinds } from '../access/table.js';
import { type Answered, ask, outcomeOf } from '../access/walk.js';
import { writtenAccess } from '../access/written.js';
import { startService, type TestService } from '../support/service.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Each caller has its own IP address. Webhook tests go to a port where nothing listens. */
const environment = { TRUSTED_PROXIES: '127.0.0.0/8', ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' };
/** Callers with the most access to records that are not theirs. */
const alsoByHead: readonly CallerName[] = [
  'nobody',
  'otherProject',
  'page',
  'otherVisitor',
  'ownerElsewhere',
  'viewer',
];
const named = routeKinds.flatMap(({ routes }) => routes);

describe('access rules', () => {
  let service: TestService;
  let cast: Cast;
  beforeAll(async () => {
    service = await startService({ database: 'embedded', environment });
    cast = await castOf(service);
  });
  afterAll(() => service.close());

  let requests = 0;
  const send = (route: string, walker: Walker, method?: string): Promise<Answered> => {
    requests += 1;
    // Each request has its own IP address, because rate limits are tested elsewhere.
    const address = `203.0.${requests >> 8}.${requests & 255}`;
    return ask(service.url, { route, address, ...(method && { method }) }, walker);
  };
  /** Returns all data of the owners whose IDs other callers use. */
  const held = async () => {
    const { secret: key, inventory } = cast.live;
    const { project, mode, challenge } = inventory;
    const user = encodeURIComponent(inventory.user);
    const read = async (path: string) => {
      const { status, body } = await service.api(path, { key });
      expect(status, path).toBe(200);
      const { exported_at: _, ...rest } = body;
      return rest;
    };
    const paths = [`/v2/user/${user}/export`, `/v2/user/${user}/devices`, `/v2/challenges/${challenge}`];
    return {
      ofUser: await Promise.all(paths.map(read)),
      keys: await listKeys(service.service, { project, mode }),
      endpoints: await listEndpoints(service.service, { project, mode }),
      settings: await readSettings(service.service, { project }),
      // Without those that other callers are.
      members: (await listMembers(service.service, project))
        .filter(({ id }) => id === inventory.member)
        .map(({ id, isOwner, roles }) => [id, isOwner, [...roles]]),
      invitations: await listInvitations(service.service, project),
    };
  };
  const idsOf = ({ device, challenge, evaluation }: Walker['inventory']) => [device, challenge, evaluation];

  test('the table contains exactly the routes of the application', () => {
    const { service: parts } = service;
    const app = createApp({ service: parts, config: { trustedProxies: [] }, metrics: createMetrics() });
    const registered = app.routes.filter(({ path }) => path !== '/*');
    const routes = registered.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(named.toSorted()).toEqual([...new Set(routes)].sort());
  });

  describe.each(routeKinds.map((kind): [string, RouteKind] => [kind.title, kind]))('%s', (_title, kind) => {
    const pairs = (isAllowed: boolean) =>
      kind.routes.flatMap((route) =>
        callerNames
          .filter((name) => (outcomeFor(kind, name) === 'yes') === isAllowed)
          .map((name): [string, CallerName] => [route, name]),
      );

    test('refuses callers without permission, changes nothing and reveals nothing', async () => {
      const before = await held();
      const wrong: string[] = [];
      for (const [route, name] of pairs(false)) {
        const walker = await cast.walker(name, false);
        const expected = outcomeFor(kind, name);
        const answer = await send(route, walker);
        if (outcomeOf(answer) !== expected) wrong.push(`${route}, ${name}: ${outcomeOf(answer)}, not ${expected}`);
        const told = [...idsOf(walker.inventory)].filter((id) => answer.text.includes(id));
        if (told.length > 0) wrong.push(`${route}, ${name}: tells of ${told.join(', ')}`);
        wrong.push(...missingIn(answer, { isKept: false }).map((each) => `${route}, ${name}: no ${each}`));
        if (!route.startsWith('GET') || !alsoByHead.includes(name)) continue;
        const head = await send(route, walker, 'HEAD');
        if (head.status !== answer.status) wrong.push(`${route}, ${name}: HEAD answers ${head.status}`);
      }
      expect(wrong).toEqual([]);
      expect(await held()).toEqual(before);
    });

    test('responds to permitted callers', async () => {
      const wrong: string[] = [];
      for (const [route, name] of pairs(true)) {
        const walker = await cast.walker(name, true);
        const answer = await send(route, walker);
        if (outcomeOf(answer) !== 'yes') wrong.push(`${route}, ${name}: ${outcomeOf(answer)} ${answer.text}`);
        wrong.push(...missingIn(answer, kind).map((each) => `${route}, ${name}: no ${each}`));
        const isStranger = ['testOnLive', 'otherProject', 'ownerElsewhere', 'memberElsewhere'].includes(name);
        const told = isStranger ? idsOf(cast.live.inventory).filter((id) => answer.text.includes(id)) : [];
        if (told.length > 0) wrong.push(`${route}, ${name}: tells of ${told.join(', ')}`);
      }
      expect(wrong).toEqual([]);
    });
  });

  test('accepts no methods other than those in the table', async () => {
    const wrong: string[] = [];
    const walkers = await Promise.all([cast.walker('live', false), cast.walker('owner', false)]);
    for (const path of new Set(named.map((route) => route.split(' ')[1] ?? ''))) {
      for (const method of methods.filter((each) => !named.includes(`${each} ${path}`))) {
        const answers = await Promise.all(walkers.map((walker) => send(`${method} ${path}`, walker)));
        const statuses = answers.map(({ status }) => status);
        if (!statuses.every((status) => status === 404 || status === 405)) wrong.push(`${method} ${path}: ${statuses}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('pages never fail on invalid IDs or form fields', async () => {
    const faults: string[] = [];
    const admin = await cast.walker('owner', true);
    const isPage = /^\w+ \/(dashboard|challenge)\/(?!sign-out)/;
    const pages = named.filter((route) => isPage.test(route));
    for (const strange of ['\0', "' or true --", '../..', 'x'.repeat(2000)]) {
      const id = encodeURIComponent(strange);
      const ids = {
        userId: id,
        device: id,
        challenge: id,
        evaluation: id,
        key: id,
        endpoint: id,
        member: id,
        invitation: id,
      };
      const said = { q: strange, url: strange, event: strange, version: strange, label: strange };
      for (const project of [admin.inventory.project, id]) {
        const walker = { ...admin, inventory: { ...admin.inventory, ...ids, project }, said };
        const answers = await Promise.all(pages.map(async (route) => ({ route, ...(await send(route, walker)) })));
        const failed = answers.filter(({ status }) => status >= 500);
        faults.push(...failed.map(({ route, status }) => `${route} with ${JSON.stringify(strange)}: ${status}`));
      }
    }
    expect(faults).toEqual([]);
  });

  test('docs/access.md is up to date (run npm run --workspace service openapi)', () => {
    expect(readFileSync(new URL('../../../docs/access.md', import.meta.url), 'utf8')).toBe(writtenAccess());
  });
});
