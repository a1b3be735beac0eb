import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { BrowserSession, TestPage } from './harness/types';
import { until } from './harness/until';
import { type EventServer, startEventServer } from './support/event-server';
import { type RunningService, startRealService } from './support/service';
import { openBrowser } from './support/session';
import { complaints, load } from './support/whorl';

declare global {
  interface Window {
    /** Names of the called callbacks, in order. */
    notifications: unknown[];
    stopWaiting: () => void;
  }
}

const device = '019aa4c0-52f1-7f0b-b0f1-2b4f1e0c9d03';
const deviceToken = `${device}.project.1.mark`;
const detachment = { device_id: device, cause: 'kick', detached_at: '2026-11-21T09:30:00.000Z' };
const detached = `id: detached\nevent: detached\ndata: ${JSON.stringify(detachment)}\n\n`;
const asJson = JSON.stringify({ data: [{ id: 'detached', type: 'detached', data: detachment }] });

let site: TestServer;
let fake: EventServer;
let service: RunningService;

beforeAll(async () => {
  site = await startServer();
  fake = await startEventServer();
  service = await startRealService({ allowed_origins: [new URL(site.url('/')).origin] });
});
afterAll(async () => {
  await Promise.all([site?.close(), fake?.close(), service?.close()]);
});

describeEngines('onDetached', (engine) => {
  let session: BrowserSession;
  let page: TestPage;

  beforeAll(async () => {
    const opened = await openBrowser(engine);
    ({ session, page } = opened);
    return opened.close;
  });
  beforeEach(async () => {
    fake.reset();
    await arrive(page);
  });

  /** Opens a page with both script-tag files. */
  async function arrive(where: TestPage): Promise<void> {
    await where.goto(site.url('/blank.html'));
    await load(where);
    await where.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const script = document.createElement('script');
          script.src = '/dist/whorl-events.min.js';
          script.onload = () => resolve();
          script.onerror = () => reject(new Error('The script did not load'));
          document.head.append(script);
        }),
    );
  }

  const wait = (where: TestPage, given: { deviceToken: string; baseUrl: string }) =>
    where.evaluate((options) => {
      window.notifications = [];
      window.stopWaiting = window.Whorl.onDetached({
        ...options,
        onDetached: (notification) => window.notifications.push(notification),
        onEnd: ({ code, status }) => window.notifications.push({ code, status }),
      });
    }, given);
  const listen = async (where = page, streams = 1) => {
    await wait(where, { deviceToken, baseUrl: fake.origin });
    await until('A request', () => fake.asked.length >= streams || undefined);
  };
  const notifications = (where = page) =>
    until('News', async () => {
      const news = await where.evaluate(() => window.notifications);
      return news.length > 0 ? news : undefined;
    });

  test('every tab is notified immediately, and sends no more requests, and no URL contains the token', async () => {
    await listen();
    const other = await session.open();
    await arrive(other);
    await listen(other, 2);
    // Split within a line ending, after an unknown event.
    fake.send(': still there\n\nevent: news\ndata: {}\n\nevent: detached\r');
    fake.send(`\ndata: ${JSON.stringify(detachment)}\r\n\r\n`);
    expect(await notifications()).toEqual([detachment]);
    expect(await notifications(other)).toEqual([detachment]);
    await other.close();
    expect(fake.asked.map(({ path }) => path)).toEqual([1, 2].map(() => `/v2/device/${device}/events`));
    expect(fake.asked[0]?.headers.authorization).toBe(`Bearer ${deviceToken}`);
    expect(await complaints(page)).toEqual([]);
  });

  test('reads no options that scripts of the page add to all objects', async () => {
    await page.evaluate(() => {
      // Invisible to `for … in`, with which drivers copy objects.
      for (const [name, value] of Object.entries({ signal: 7, onEnd: 7, integrity: 'sha256-AAAA' })) {
        Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
      }
    });
    await listen();
    fake.send(detached);
    expect(await notifications()).toEqual([detachment]);
    expect(fake.asked[0]?.headers.authorization).toBe(`Bearer ${deviceToken}`);
  });

  test('continues after the end of a stream, with the newest token', async () => {
    await listen();
    fake.send('event: token\ndata: {"device_token":"newer"}\n\n');
    fake.endAll();
    await until('A new stream', () => fake.asked.length > 1 || undefined);
    fake.send(detached);
    expect(await notifications()).toEqual([detachment]);
    expect(fake.asked[1]?.headers.authorization).toBe('Bearer newer');
  });

  test('polls if there is no stream', async () => {
    fake.answer = ({ isStream, response }) => {
      if (isStream) response.writeHead(429).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(asJson);
    };
    await listen();
    expect(await notifications()).toEqual([detachment]);
    expect(fake.asked.map(({ isStream }) => isStream)).toEqual([true, false]);
  });

  // A slow case with the same code in all engines, so it runs in one of them.
  if (engine.name === 'chromium') {
    test('polls if a proxy buffers the stream', async () => {
      fake.answer = ({ isStream, response }) => {
        if (!isStream) response.writeHead(200, { 'content-type': 'application/json' }).end(asJson);
      };
      await listen();
      expect(await notifications()).toEqual([detachment]);
    });
  }

  test('reconnects immediately when the browser is online again', async () => {
    fake.answer = ({ response }) => response.destroy();
    await listen();
    // The pauses between attempts are long by now.
    await until('Several tries', () => fake.asked.length > 3 || undefined);
    fake.reset();
    fake.answer = ({ isStream, response }) => {
      if (isStream) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(detached);
      else response.destroy();
    };
    await page.evaluate(() => dispatchEvent(new Event('online')));
    expect(await notifications()).toEqual([detachment]);
  });

  test.each([401, 404])('ends with an error if the service returns %d', async (status) => {
    fake.answer = ({ response }) => response.writeHead(status).end('{}');
    await listen();
    expect(await notifications()).toEqual([{ code: 'http', status }]);
    expect(fake.asked).toHaveLength(1);
  });

  test('closes the connection without a callback if stopped by its function or a signal', async () => {
    await listen();
    let hasHungUp = false;
    fake.asked[0]?.response.on('close', () => {
      hasHungUp = true;
    });
    await page.evaluate(() => window.stopWaiting());
    await until('The end of the connection', () => hasHungUp || undefined);
    const thrown = await page.evaluate(
      (options) => {
        const controller = new AbortController();
        controller.abort();
        window.Whorl.onDetached({
          ...options,
          onDetached: () => window.notifications.push(1),
          signal: controller.signal,
        });
        return [{ deviceToken: 'x' }, { baseUrl: 'nowhere' }, { onDetached: undefined }].map((wrong) => {
          try {
            window.Whorl.onDetached(Object.assign({ onDetached: () => undefined }, options, wrong));
          } catch (error) {
            return error instanceof Error && 'code' in error && error.code;
          }
          return undefined;
        });
      },
      { deviceToken, baseUrl: fake.origin },
    );
    expect(thrown).toEqual(['invalid_options', 'invalid_options', 'invalid_options']);
    expect(fake.asked).toHaveLength(1);
    expect(await page.evaluate(() => window.notifications)).toEqual([]);
  });

  test('is notified by the real service', async () => {
    const fingerprint = `opaque ${engine.name}`;
    const request = { action: 'signup', user: `user of ${engine.name}`, fingerprint, ip: '198.51.100.7' };
    const { body } = await service.post('/v2/device/evaluate', request);
    await wait(page, { deviceToken: body.device_token, baseUrl: service.origin });
    await service.post(`/v2/device/${body.device_id}/detach`);
    expect(await notifications()).toMatchObject([{ device_id: body.device_id, cause: 'detach' }]);
    expect(await complaints(page)).toEqual([]);
  });
});
