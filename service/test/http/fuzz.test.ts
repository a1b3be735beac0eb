import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Endpoint, endpoints } from '../../src/testing.js';
import { origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { deviceMark, type FuzzRequest, requestsFrom } from '../support/fuzz-requests.js';
import { createInventory, expectDocumented, wideLimits } from '../support/operations.js';
import { type ApiAnswer, startService, type TestProject, type TestService } from '../support/service.js';

/** Number of requests per database. */
const requests = 2500;
const atOnce = 25;
/** To repeat a run: FUZZ_SEED=… */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const document: unknown = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
/** Number of newest IDs that requests use. */
const mostIds = 12;

describeDatabases('generated requests', (kind) => {
  let service: TestService;
  let project: TestProject;
  const known: Record<string, string[]> = { challenge: [], device: [], evaluation: [] };
  beforeAll(async () => {
    service = await startService({ database: kind, environment: { LOG_LEVEL: 'warn' } });
    project = await service.newProject({ ...wideLimits, allowed_origins: [origin] });
    await createInventory(service, project);
  });
  afterAll(() => service.close());

  const knownId = (name: string, number: number) => known[name]?.at(-1 - (number % mostIds)) ?? '';
  const withIds = (text: string) => text.replace(deviceMark, (_, number: string) => knownId('device', Number(number)));

  /** IDs that the service created are used by later requests. */
  function learn(body: unknown): void {
    for (const [, name = '', id = ''] of JSON.stringify(body ?? null).matchAll(/"(\w+)_id":"([\da-f-]{36})"/g)) {
      if (known[name] && !known[name].includes(id)) known[name].push(id);
    }
  }

  async function send({ method, path, ids, query, body, headers, isPublishable }: FuzzRequest): Promise<ApiAnswer> {
    const ofPath = ['device', 'evaluation'].find((name) => path.includes(`/${name}`)) ?? 'challenge';
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const id = ids[name] ?? '';
      const kindOfId = name === 'device' ? name : path.includes('/challenges/') ? 'challenge' : ofPath;
      const text = typeof id === 'number' ? knownId(kindOfId, id) : id;
      // Invalid Unicode cannot be sent, and a path of only dots is normalised to another path.
      return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '�').replace(/^\.{0,2}$/, 'x'));
    });
    const search = new URLSearchParams(query);
    for (const [name, value] of Object.entries(query)) search.set(name, withIds(value));
    const text = body === undefined ? undefined : withIds(body);
    const { secret, publishable } = project.keys.live;
    return service.api(`${filled}?${search}`, {
      method,
      key: isPublishable ? publishable : secret,
      headers: isPublishable ? { ...headers, Origin: origin } : headers,
      ...(text && { body: text }),
    });
  }

  test(`get answers that are documented, and never a fault (seed ${seed})`, async () => {
    const startedAt = performance.now();
    const statuses = new Map<number, number>();
    const check = async (request: FuzzRequest) => {
      const answer = await send(request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      learn(answer.body);
      const summary = `${JSON.stringify(request)} was answered ${answer.status} ${JSON.stringify(answer.body)}`;
      // Requests of one batch are often about one user, of whom the service serves two at a time.
      const isBusy = answer.status === 503 && JSON.stringify(answer.body).includes('"user_busy"');
      if (!isBusy) expect(answer.status, summary).toBeLessThan(500);
      const isOf = ({ method, path }: Endpoint) => method.toUpperCase() === request.method && path === request.path;
      const endpoint = endpoints.find(isOf);
      if (!endpoint) throw new Error(`${request.path} is not served`);
      expectDocumented(endpoint, answer);
    };
    const batches = fc.array(requestsFrom(document), { minLength: atOnce, maxLength: atOnce });
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        await Promise.all(batch.map(check));
      }),
      { seed, numRuns: requests / atOnce, endOnFailure: true },
    );
    console.log(
      `${kind}, seed ${seed}, ${Math.round(performance.now() - startedAt)} ms:`,
      Object.fromEntries([...statuses].sort()),
    );
    // Otherwise the requests would test nothing: all refused, or none.
    for (const status of [200, 400, 404]) expect(statuses.get(status)).toBeGreaterThan(requests / 50);
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(requests);
  });
});
