import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/testing.js';
import { customerOf, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { endpointCallsOf, filtered } from '../support/endpoint-calls.js';
import {
  all,
  asBody,
  bodyFor,
  createInventory,
  expectDocumented,
  type Inventory,
  pathOf,
  queryFor,
  wideLimits,
  withIds,
} from '../support/operations.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const nobodysId = '00000000-0000-7000-8000-000000000000';

describeDatabases('every endpoint', (kind) => {
  let service: TestService;
  let project: TestProject;
  let stranger: TestProject;
  let inventory: Inventory;
  beforeAll(async () => {
    service = await startService({ database: kind });
    stranger = await service.newProject(wideLimits);
    project = await service.newProject({ ...wideLimits, allowed_origins: [origin] });
    inventory = await createInventory(service, project);
  });
  afterAll(() => service.close());

  const { secret, call } = endpointCallsOf(() => ({ service, project, inventory }));

  describe('200', () => {
    test.each(all)('%s: accepts its documented example with unknown fields', async (_name, endpoint) => {
      const own = await service.newProject(wideLimits);
      const customer = customerOf(service, own);
      const things = await createInventory(service, own);
      if (endpoint.operationId === 'verifyChallenge') await customer.ask(`/v2/challenges/${things.challenge}/send`);
      const body = bodyFor(endpoint, things);
      const more = filtered.includes(endpoint.operationId) ? {} : { unknown: '1' };
      const answer = await service.api(`${pathOf(endpoint, things)}${queryFor(endpoint, more)}`, {
        key: own.keys.live.secret,
        ...asBody(endpoint, body && { ...body, unknown: { nested: [1] } }),
      });
      expect(answer.body).not.toHaveProperty('errors');
      expect(answer.status).toBe(200);
      expectDocumented(endpoint, answer);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
    });
  });

  describe('401 unauthorized', () => {
    test.each(all)('%s: without a key, or with an unknown key', async (_name, endpoint) => {
      const unknown = createApiKey('secret', 'live');
      const headers = ['', `Bearer ${unknown}`, `Basic ${secret()}`, `Bearer`, secret(), `Bearer ${secret()}x`];
      for (const authorization of headers) {
        const answer = await service.api(pathOf(endpoint, inventory), {
          ...asBody(endpoint, bodyFor(endpoint, inventory)),
          headers: authorization ? { Authorization: authorization } : {},
        });
        expectDocumented(endpoint, answer);
        expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
        expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer /);
      }
    });
  });

  describe('403 forbidden', () => {
    test.each(all)('%s: with a publishable key instead of a secret key', async (_name, endpoint) => {
      const answer = await call(endpoint, { key: project.keys.live.publishable, headers: { Origin: origin } });
      expectDocumented(endpoint, answer);
      if (endpoint.keys === 'any') expect(answer.status).toBe(200);
      else expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    });
  });

  describe('404 not_found', () => {
    const foreign: [string, () => string][] = [
      ["another project's key", () => stranger.keys.live.secret],
      ["the other mode's key", () => project.keys.test.secret],
    ];
    const existing = withIds.filter(([, { createsMissing }]) => !createsMissing);
    test.each(existing)('%s: an ID of another project or mode', async (_name, endpoint) => {
      for (const [whose, key] of foreign) {
        const answer = await call(endpoint, { key: key() });
        expectDocumented(endpoint, answer);
        expect(answer, whose).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    });

    test.each(existing)('%s: an unknown or malformed ID', async (_name, endpoint) => {
      const nothings = [nobodysId, 'no-uuid', '%00', '%F0%9F', '%zz', 'a'.repeat(300), `${nobodysId}%20`, '%7Bid%7D'];
      for (const id of nothings) {
        const path = endpoint.path.replace(/\{\w+\}/g, id);
        const body = bodyFor(endpoint, inventory);
        const answer = await service.api(path, { key: secret(), ...asBody(endpoint, body) });
        expectDocumented(endpoint, answer);
        expect(answer, id).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    });

    test.each(withIds)('%s: a URL that is not percent-encoded UTF-8', async (_name, endpoint) => {
      for (const id of ['%F0%9F', '%zz', 'a%']) {
        const path = endpoint.path.replace(/\{\w+\}/g, id);
        const answer = await service.api(path, { key: secret(), ...asBody(endpoint, bodyFor(endpoint, inventory)) });
        expectDocumented(endpoint, answer);
        expect(answer, id).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    });
  });

  test.each(all)('405 method_not_allowed: %s, with other methods', async (_name, endpoint) => {
    const others = ['PUT', 'PATCH', 'DELETE', endpoint.method === 'get' ? 'POST' : 'GET'];
    if (endpoint.keys !== 'any') others.push('OPTIONS');
    for (const method of others) {
      const answer = await service.api(pathOf(endpoint, inventory), { method, key: secret() });
      expect(answer, method).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
      expect(answer.headers.get('Allow')).toBe(endpoint.method === 'get' ? 'GET, HEAD' : 'POST');
    }
  });
});
