import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyToken } from '../../src/server/index';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { evaluateIn, type GivenOptions } from './support/evaluate';
import { type RunningService, startRealService } from './support/service';
import { openBrowser } from './support/session';
import { load } from './support/whorl';

let server: TestServer;
let stranger: TestServer;
let service: RunningService;
let narrow: RunningService;

const originOf = (site: TestServer) => new URL(site.url('/')).origin;

beforeAll(async () => {
  server = await startServer();
  stranger = await startServer();
  const settings = { allowed_origins: [originOf(server)] };
  service = await startRealService(settings);
  narrow = await startRealService({ ...settings, rate_limits: limits(1) });
});
afterAll(async () => {
  await Promise.all([server?.close(), stranger?.close(), service?.close(), narrow?.close()]);
});

function limits(requests: number): object {
  return { secret_per_second: 500, publishable_per_second: requests, publishable_burst: requests };
}

/** The page calls the real service, which has a different origin. */
describeEngines('evaluate against the service', (engine) => {
  let page: TestPage;

  beforeAll(async () => {
    const opened = await openBrowser(engine);
    page = opened.page;
    return opened.close;
  });

  const visit = async (site: TestServer) => {
    await page.goto(site.url('/blank.html'));
    await load(page);
  };
  const ask = (more: GivenOptions, { keys, origin }: RunningService = service) =>
    evaluateIn(page, { clientId: keys.publishable, baseUrl: origin, action: 'login', ...more });

  test('returns a claim, which the server verifies and consumes once', async () => {
    await visit(server);
    const user = `user of ${engine.name}`;
    const { answer } = await ask({ user });
    expect(answer).toMatchObject({ verdict: 'challenge', challenge_id: expect.stringMatching(/^[\da-f-]{36}$/) });
    const { token = '', evaluation_id = '' } = answer ?? {};
    const audience = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).aud;
    const issuer = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).iss;
    const payload = await verifyToken(token, { baseUrl: service.origin, issuer, audience, action: 'login', user });
    expect(payload.jti).toBe(evaluation_id);
    const consume = () => service.post(`/v2/evaluations/${evaluation_id}/consume`, { user, action: 'login' });
    expect(await consume()).toMatchObject({ status: 200, body: { user, claimed: true } });
    expect(await consume()).toMatchObject({ status: 409, body: { code: 'already_consumed' } });
  });

  test('is allowed after the challenge was completed', async () => {
    await visit(server);
    const user = `returning user of ${engine.name}`;
    const first = await ask({ user });
    await service.post(`/v2/challenges/${first.answer?.challenge_id}/complete`);
    const second = await ask({ user });
    expect(second.answer?.verdict).toBe('allow');
    expect(second.answer?.fingerprint_id).toBe(first.answer?.fingerprint_id);
  });

  test('from an origin that is not allowed gets no readable response', async () => {
    await visit(stranger);
    const { error } = await ask({ user: 'somebody' });
    expect(error).toMatchObject({ isWhorlError: true, code: 'network' });
  });

  test('with an invalid key is rejected with the error of the service', async () => {
    await visit(server);
    const { error } = await ask({ user: 'somebody', clientId: 'pk_test_nobody' });
    expect(error).toMatchObject({ code: 'http', status: 401, problemCode: 'unauthorized' });
    expect(error?.requestId).toBeTruthy();
  });

  test('over the limit is rejected, with the time to wait', async () => {
    await visit(server);
    // On a slow machine, three concurrent requests may arrive seconds apart.
    const refusal = await until('A refusal', async () => {
      const outcomes = await Promise.all([1, 2, 3].map(() => ask({ user: 'somebody' }, narrow)));
      return outcomes.find(({ error }) => error)?.error;
    });
    expect(refusal).toMatchObject({ code: 'http', status: 429, problemCode: 'rate_limited' });
    expect(refusal.retryAfter).toBeGreaterThan(0);
  });
});
