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
import { type Caller, type Callers, createCallers } from '../access/callers.js';
import { missingIn } from '../access/headers.js';
import { outcomeOf, type RouteResponse, requestRoute } from '../access/request.js';
import { type CallerName, callerNames, outcomeFor, type RouteKind, routeKinds } from '../access/table.js';
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
  let callers: Callers;
  beforeAll(async () => {
    service = await startService({ database: 'embedded', environment });
    callers = await createCallers(service);
  });
  afterAll(() => service.close());

  let requests = 0;
  const send = (route: string, caller: Caller, method?: string): Promise<RouteResponse> => {
    requests += 1;
    // Each request has its own IP address, because rate limits are tested elsewhere.
    const address = `203.0.${requests >> 8}.${requests & 255}`;
    return requestRoute(service.url, { route, address, ...(method && { method }) }, caller);
  };
  /** Returns all data of the owners whose IDs other callers use. */
  const held = async () => {
    const { secret: key, records } = callers.live;
    const { project, mode, challenge } = records;
    const user = encodeURIComponent(records.user);
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
        .filter(({ id }) => id === records.member)
        .map(({ id, isOwner, roles }) => [id, isOwner, [...roles]]),
      invitations: await listInvitations(service.service, project),
    };
  };
  const idsOf = ({ device, challenge, evaluation }: Caller['records']) => [device, challenge, evaluation];

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
        const caller = await callers.caller(name, false);
        const expected = outcomeFor(kind, name);
        const answer = await send(route, caller);
        if (outcomeOf(answer) !== expected) wrong.push(`${route}, ${name}: ${outcomeOf(answer)}, not ${expected}`);
        const told = [...idsOf(caller.records)].filter((id) => answer.text.includes(id));
        if (told.length > 0) wrong.push(`${route}, ${name}: tells of ${told.join(', ')}`);
        wrong.push(...missingIn(answer, { isKept: false }).map((each) => `${route}, ${name}: no ${each}`));
        if (!route.startsWith('GET') || !alsoByHead.includes(name)) continue;
        const head = await send(route, caller, 'HEAD');
        if (head.status !== answer.status) wrong.push(`${route}, ${name}: HEAD answers ${head.status}`);
      }
      expect(wrong).toEqual([]);
      expect(await held()).toEqual(before);
    });

    test('responds to permitted callers', async () => {
      const wrong: string[] = [];
      for (const [route, name] of pairs(true)) {
        const caller = await callers.caller(name, true);
        const answer = await send(route, caller);
        if (outcomeOf(answer) !== 'yes') wrong.push(`${route}, ${name}: ${outcomeOf(answer)} ${answer.text}`);
        wrong.push(...missingIn(answer, kind).map((each) => `${route}, ${name}: no ${each}`));
        const isStranger = ['testOnLive', 'otherProject', 'ownerElsewhere', 'memberElsewhere'].includes(name);
        const told = isStranger ? idsOf(callers.live.records).filter((id) => answer.text.includes(id)) : [];
        if (told.length > 0) wrong.push(`${route}, ${name}: tells of ${told.join(', ')}`);
      }
      expect(wrong).toEqual([]);
    });
  });

  test('accepts no methods other than those in the table', async () => {
    const wrong: string[] = [];
    const both = await Promise.all([callers.caller('live', false), callers.caller('owner', false)]);
    for (const path of new Set(named.map((route) => route.split(' ')[1] ?? ''))) {
      for (const method of methods.filter((each) => !named.includes(`${each} ${path}`))) {
        const answers = await Promise.all(both.map((caller) => send(`${method} ${path}`, caller)));
        const statuses = answers.map(({ status }) => status);
        if (!statuses.every((status) => status === 404 || status === 405)) wrong.push(`${method} ${path}: ${statuses}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('pages never fail on invalid IDs or form fields', async () => {
    const faults: string[] = [];
    const admin = await callers.caller('owner', true);
    const isPage = /^\w+ \/(dashboard|challenge)\/(?!sign-out)/;
    const pages = named.filter((route) => isPage.test(route));
    for (const malformed of ['\0', "' or true --", '../..', 'x'.repeat(2000)]) {
      const id = encodeURIComponent(malformed);
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
      const fields = { q: malformed, url: malformed, event: malformed, version: malformed, label: malformed };
      for (const project of [admin.records.project, id]) {
        const caller = { ...admin, records: { ...admin.records, ...ids, project }, fields };
        const answers = await Promise.all(pages.map(async (route) => ({ route, ...(await send(route, caller)) })));
        const failed = answers.filter(({ status }) => status >= 500);
        faults.push(...failed.map(({ route, status }) => `${route} with ${JSON.stringify(malformed)}: ${status}`));
      }
    }
    expect(faults).toEqual([]);
  });

  test('docs/access.md is up to date (run npm run --workspace service openapi)', () => {
    expect(readFileSync(new URL('../../../docs/access.md', import.meta.url), 'utf8')).toBe(writtenAccess());
  });
});
