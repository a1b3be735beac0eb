import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/testing.js';
import { describeDatabases } from '../support/databases.js';
import { endpointCallsOf, filtered } from '../support/endpoint-calls.js';
import {
  all,
  asBody,
  bodyFor,
  brokenRequests,
  createInventory,
  expectDocumented,
  fieldsOf,
  type Inventory,
  pathOf,
  posts,
  queryFor,
  wideLimits,
  withBodies,
} from '../support/operations.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const largestBody = 64 * 1024;
const largestOf = ({ bulk }: Endpoint) => bulk?.bodyLimitBytes ?? largestBody;

describeDatabases('every endpoint', (kind) => {
  let service: TestService;
  let project: TestProject;
  let inventory: Inventory;
  beforeAll(async () => {
    service = await startService({ database: kind });
    project = await service.newProject(wideLimits);
    inventory = await createInventory(service, project);
  });
  afterAll(() => service.close());

  const { secret, call } = endpointCallsOf(() => ({ service, project, inventory }));

  describe('400 invalid_request', () => {
    test.each(all.filter(([, { operationId }]) => filtered.includes(operationId)))(
      '%s: an unknown filter',
      async (_name, endpoint) => {
        const answer = await service.api(`${pathOf(endpoint, inventory)}${queryFor(endpoint, { unknown: '1' })}`, {
          key: secret(),
        });
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path: 'unknown' }] } });
      },
    );

    test.each(posts)('%s: malformed JSON', async (_name, endpoint) => {
      for (const body of ['{"action":', 'login', '{}{}', '\u0000']) {
        const answer = await call(endpoint, { body });
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path: '' }] } });
        expect(answer.body.detail).toMatch(/^The body is not valid JSON\b.* at line \d+, column \d+\.$/);
      }
    });

    test('malformed JSON: the detail contains the position but no values', async () => {
      const [, evaluate] = all[0] ?? [];
      if (!evaluate) throw new Error('There is no endpoint');
      const bodies: [string, string][] = [
        ['{"user":"secret-value",}', 'line 1, column 24'],
        ['{\n  "user": secret-value\n}', 'line 2, column 11'],
        ['{"user":"secret-value"', 'line 1, column 23'],
        ["{'user':'secret-value'}", 'line 1, column 2'],
        ['{"user":"secret-value" "action":"login"}', 'line 1, column 24'],
      ];
      for (const [body, place] of bodies) {
        const { detail } = (await call(evaluate, { body })).body;
        expect(detail).toContain(place);
        expect(detail).not.toContain('secret-value');
      }
      // Too deep for the function that finds the position.
      const { status, body } = await call(evaluate, { body: '['.repeat(60_000) });
      expect([status, body.detail]).toEqual([400, 'The body is not valid JSON.']);
    });

    test.each(posts)('%s: a body that is not UTF-8, with Content-Length and chunked', async (_name, endpoint) => {
      const latin1 = Buffer.from(JSON.stringify({ ...bodyFor(endpoint, inventory), user: 'josé' }), 'latin1');
      for (const send of [sendBytes, sendChunks]) {
        const answer = await send(latin1, pathOf(endpoint, inventory));
        expect(answer.status).toBe(400);
        const detail = 'The body must be encoded as UTF-8.';
        expect(await answer.json()).toMatchObject({ code: 'invalid_request', detail, errors: [{ path: '' }] });
      }
    });

    test('a byte order mark is accepted, with Content-Length and chunked', async () => {
      const path = `/v2/challenges/${inventory.challenge}/open`;
      for (const send of [sendBytes, sendChunks]) {
        expect(await send(Buffer.from('\ufeff{}'), path)).toMatchObject({ status: 200 });
      }
    });

    test.each(all)('%s: the detail describes the invalid field', async (_name, endpoint) => {
      const refused = new Set<string>();
      for (const { path, query, body } of brokenRequests(endpoint, bodyFor(endpoint, inventory))) {
        const answer = await service.api(pathOf(endpoint, inventory) + query, {
          key: secret(),
          ...asBody(endpoint, body),
        });
        if (answer.status !== 400) continue;
        const { detail, errors } = answer.body;
        const request = JSON.stringify([query, body]).slice(0, 300);
        const [{ path: at }] = errors;
        // A field of an object is named with the object.
        expect(at.split('.')[0], request).toBe(path);
        for (const { message } of errors) expect(message, request).toMatch(inWords);
        expect(detail, request).toContain(`\`${at}\` ${errors[0].message}.`);
        expect(detail, request).not.toMatch(/[\^$\\]|\[[a-z0-9]+-|[Ii]nvalid|undefined|NaN/);
        refused.add(path);
      }
      const fields = [...fieldsOf(endpoint.body), ...fieldsOf(endpoint.query)];
      expect([...refused].sort()).toEqual(fields.sort());
    });

    test('several errors: the detail has the first, and errors has all', async () => {
      const { body } = await service.api('/v2/device/evaluate', { key: secret(), body: { action: 'NO', ip: 'x' } });
      expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['action', 'user', 'ip']);
      expect(body.detail).toBe(`\`action\` ${body.errors[0].message}. \`errors\` lists 2 more errors.`);
    });

    test.each([
      ['a body that is no object', '/v2/device/evaluate', '[]', 'The body must be a JSON object, not a list.'],
      ['an `Idempotency-Key`', '/v2/device/evaluate', '{}', '`Idempotency-Key` must'],
    ])('%s: the detail names it', async (_name, path, body, detail) => {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': body === '{}' ? 'a b' : 'ab' };
      const answer = await service.api(path, { key: secret(), method: 'POST', body, headers });
      expect(answer.status).toBe(400);
      expect(answer.body.detail).toContain(detail);
    });

    test.each(withBodies)('%s: JSON that is not an object', async (_name, endpoint) => {
      for (const body of ['[]', '"text"', '1', 'null', 'true']) {
        expect(await call(endpoint, { body })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      }
    });

    test.each(withBodies)('%s: a field of the wrong type', async (_name, endpoint) => {
      const fields = fieldsOf(endpoint.body);
      expect(fields.length).toBeGreaterThan(0);
      for (const field of fields) {
        const answer = await call(endpoint, { body: { ...bodyFor(endpoint, inventory), [field]: 12.5 } });
        expectDocumented(endpoint, answer);
        expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
      }
    });

    test.each(withBodies)('%s: a body without a required field', async (_name, endpoint) => {
      const required = fieldsOf(endpoint.body, { required: true });
      const answer = await call(endpoint, { body: {} });
      if (required.length === 0) expect(answer.status).not.toBe(400);
      else {
        const errors = required.map((path) => ({ path, message: 'is required' }));
        expect(answer).toMatchObject({ status: 400, body: { errors } });
      }
    });
  });

  describe('413 too_large', () => {
    const filler = (bytes: number) => JSON.stringify({ filler: 'a'.repeat(bytes - '{"filler":""}'.length) });

    test.each(posts)('%s: a body one byte over the limit, with Content-Length and chunked', async (_name, endpoint) => {
      const oneTooMany = filler(largestOf(endpoint) + 1);
      const tooLarge = await call(endpoint, { body: oneTooMany });
      expect(tooLarge).toMatchObject({ status: 413, body: { code: 'too_large' } });
      const inChunks = await sendChunks(oneTooMany, pathOf(endpoint, inventory));
      expect(inChunks.status).toBe(413);
      expect(await inChunks.json()).toMatchObject({ code: 'too_large' });
    });

    test('accepts a body of the maximum size, either way', async () => {
      const path = `/v2/challenges/${inventory.challenge}/open`;
      expect(await service.api(path, { key: secret(), body: filler(largestBody) })).toMatchObject({ status: 200 });
      expect(await sendChunks(filler(largestBody), path)).toMatchObject({ status: 200 });
    });

    test('the limit is in bytes, not characters', async () => {
      const body = JSON.stringify({ filler: '€'.repeat(largestBody / 3) });
      const path = `/v2/challenges/${inventory.challenge}/open`;
      expect(await service.api(path, { key: secret(), body })).toMatchObject({ status: 413 });
    });
  });

  describe('415 unsupported_media_type', () => {
    test.each(posts)('%s: a body without a JSON content type, or compressed', async (_name, endpoint) => {
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'text/json', ''];
      const headers = types.map((type): Record<string, string> => ({ 'Content-Type': type }));
      headers.push({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      for (const own of headers) {
        const answer = await call(endpoint, { body: '{}', headers: own });
        expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
        const [received = ''] = Object.values(own).slice(-1);
        expect(answer.body.detail).toContain(received === '' ? 'no Content-Type' : `"${received}"`);
      }
    });

    test('accepts other JSON content types, the encoding "Identity", and no body', async () => {
      const path = `/v2/challenges/${inventory.challenge}/open`;
      const plain = { 'Content-Type': 'application/json', 'Content-Encoding': 'Identity' };
      expect(await service.api(path, { key: secret(), body: '{}', headers: plain })).toMatchObject({ status: 200 });
      for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json']) {
        const answer = await service.api(path, { key: secret(), body: '{}', headers: { 'Content-Type': type } });
        expect(answer.status).toBe(200);
      }
      const headers = { 'Content-Type': 'text/plain' };
      expect(await service.api(path, { key: secret(), method: 'POST', headers })).toMatchObject({ status: 200 });
    });
  });

  const headers = () => ({ Authorization: `Bearer ${secret()}`, 'Content-Type': 'application/json' });

  function sendBytes(body: Buffer, path: string): Promise<Response> {
    return fetch(service.url + path, { method: 'POST', headers: headers(), body: Uint8Array.from(body) });
  }

  function sendChunks(content: string | Buffer, path: string): Promise<Response> {
    const bytes = Buffer.from(content);
    const half = bytes.length / 2;
    const body = new ReadableStream({
      start(controller) {
        for (const part of [bytes.subarray(0, half), bytes.subarray(half)]) controller.enqueue(part);
        controller.close();
      },
    });
    // The types of the DOM, which some dependency refers to, do not have `duplex`.
    const request = { method: 'POST', headers: headers(), body, duplex: 'half' };
    return fetch(service.url + path, request);
  }
});

/** Characters that a detail may contain. */
const inWords = /^(must|is|would|cannot) [\w .,:;()"'`/+-]+$/;
