import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyWithScope } from '../support/api-keys.js';
import { connectAssistant, use } from '../support/assistant.js';
import { type Customer, customerOf } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('a request of an assistant', (kind) => {
  let service: TestService;
  let customer: Customer;
  let reader: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
    const project = await service.newProject();
    customer = customerOf(service, project);
    reader = await keyWithScope(service, project, 'read');
  });
  afterAll(() => service.close());

  test('names users as the API does, and hears nothing of internal errors', async () => {
    const client = await connectAssistant(service.url, reader);
    const longest = 'x'.repeat(256);
    await customer.ask(`/v2/user/${longest}/update`);
    await customer.ask('/v2/user/broken/update', { email: 'broken@example.com' });
    for (const tool of ['get_user', 'get_linked_accounts']) {
      expect((await use(client, tool, { user: longest })).isError, tool).toBeFalsy();
      for (const user of ['a\u0000b', 'a\nb', '\ud800', '', 'x'.repeat(257)]) {
        const { isError, text } = await use(client, tool, { user });
        expect([isError, text], tool).toEqual([true, expect.stringContaining('Input validation error')]);
      }
    }
    for (const [tool, given] of [
      ['search_evaluations', { user: 'a\u0000b' }],
      ['search_evaluations', { ip: 'a\u0000b' }],
      ['replay_rule', { when: 'action == "\u0000"', effect: 'deny', replaces: 'a\u0000b' }],
      ['replay_rule', { when: 'true', effect: 'tag', tag: 'a\u0000b' }],
    ] as const) {
      const { isError, text } = await use(client, tool, given);
      expect([isError, text]).toEqual([true, expect.stringMatching(/must|There is no rule/)]);
    }
    await service.db
      .updateTable('users')
      .set({ email: Buffer.from('x') })
      .where('external_id', '=', 'broken')
      .execute();
    const { isError, text } = await use(client, 'get_user', { user: 'broken' });
    expect([isError, text]).toEqual([true, 'The service failed. The details are in its log.']);
    await client.close();
  });

  /** Posts a message, or a batch, and returns the status, headers and text of the response. */
  async function post(key: string, body: object, headers: Record<string, string> = {}) {
    const response = await fetch(new URL('/v2/mcp', service.url), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  const call = (name: string, given: object, id = 1) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: given },
  });

  test('uses up the rate limit with each message of a batch', async () => {
    const rates = { secret_per_second: 5, publishable_per_second: 3, publishable_burst: 6 };
    const key = await keyWithScope(service, await service.newProject({ rate_limits: rates }), 'read');
    const batchOf = (size: number) =>
      Array.from({ length: size }, (_, at) => call('get_user', { user: 'nobody' }, at + 1));
    const refused = await post(key, batchOf(20));
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'rate_limited' });
    await waitFor(async () => (await post(key, batchOf(3))).text.split('There is no user').length === 4, {
      what: 'a batch within the limit',
    });
    expect((await post(key, [])).status).toBe(400);
  });

  test('gets no stored response, which could name an erased user', async () => {
    for (const user of ['ida', 'jon']) await customer.ask(`/v2/user/${user}/update`, { email: 'same@example.com' });
    const ask = () =>
      post(reader, call('get_linked_accounts', { user: 'ida' }), { 'Idempotency-Key': 'one-key-for-both' });
    expect((await ask()).text).toContain('jon');
    await customer.ask('/v2/user/jon/delete', {});
    const { status, text, headers } = await ask();
    expect([status, headers.get('Idempotent-Replayed')]).toEqual([200, null]);
    expect(text).not.toContain('jon');
  });
});
