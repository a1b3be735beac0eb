import { afterAll, beforeAll, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { freePort } from './harness/free-port';
import type { TestPage } from './harness/types';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage } from './support/session';
import { waitLongerForIndexedDb } from './support/whorl';

/** A service on the origin of the customer's pages, where browsers keep one key for both. */
let service: RunningService;
beforeAll(async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = { managed_challenge_page: true, allowed_origins: [origin] };
  service = await startRealService(settings, { PORT: String(port), PUBLIC_URL: origin });
});
afterAll(() => service?.close());

let users = 0;

/** Begins a challenge in a browser that proves its key, and returns the link to the managed page. */
async function challengeIn(page: TestPage): Promise<string> {
  const { body } = await service.post('/v2/device/nonce');
  await page.goto(`${service.origin}/docs`);
  await waitLongerForIndexedDb(page);
  const visiting = await page.evaluate(async (nonce: string) => {
    await new Promise((resolve, reject) => {
      const script = document.createElement('script');
      Object.assign(script, { src: '/whorl.min.js', onload: resolve, onerror: reject });
      document.head.append(script);
    });
    const [fingerprint] = await window.Whorl.getHash();
    return { fingerprint, proof: await window.Whorl.getProof(nonce) };
  }, body.nonce);
  const user = `ann${++users}`;
  const answer = await service.post('/v2/device/evaluate', { action: 'login', user, ip: '127.0.0.1', ...visiting });
  return answer.body.challenge_url;
}

describeEngines('the managed page on the origin of the pages', (engine) => {
  test('continues in the browser that proved its key, and refuses an equal browser with another key', () =>
    inPage(engine, undefined, (page) =>
      inPage(engine, undefined, async (equal) => {
        await page.goto(await challengeIn(page));
        // The service of this test sends no codes, which only the browser that began the challenge is told.
        await shows(page, /We cannot reach you/);
        await equal.goto(await challengeIn(page));
        await shows(equal, /Open this page where you started/);
      }),
    ));
});
