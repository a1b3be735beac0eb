import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CollectOptions } from '../../src/index';
import { version } from '../../src/version';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { BrowserSession, TestPage } from './harness/types';
import { evaluateIn } from './support/evaluate';
import { type EvaluateServer, json, nonce, startEvaluateServer } from './support/evaluate-server';
import { type RunningService, startRealService } from './support/service';
import { inPage, openBrowser, ownProfile } from './support/session';
import { complaints, getHash, load, waitLongerForIndexedDb } from './support/whorl';

/** The readable parts of a proof. */
interface Opened {
  readonly header: { readonly alg: string; readonly kid: string; readonly jwk: Readonly<Record<string, string>> };
  readonly claims: Readonly<Record<string, unknown>>;
}

function open(proof: string | null | undefined): Opened {
  const [header, claims] = (proof ?? '').split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return { header: JSON.parse(header ?? ''), claims: JSON.parse(claims ?? '') };
}

/** Simulates a browser that blocks all storage. */
function blockStorage(): void {
  for (const name of ['indexedDB', 'localStorage']) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('No', 'SecurityError');
      },
    });
  }
}

let server: TestServer;
let service: RunningService;
let fake: EvaluateServer;
const originOf = (site: TestServer) => new URL(site.url('/')).origin;

beforeAll(async () => {
  server = await startServer();
  fake = await startEvaluateServer();
  service = await startRealService({ allowed_origins: [originOf(server)] });
});
afterAll(async () => {
  await Promise.all([server?.close(), fake?.close(), service?.close()]);
});

describeEngines('proof of possession', (engine) => {
  let session: BrowserSession;
  let page: TestPage;

  beforeAll(async () => {
    const opened = await openBrowser(engine, ownProfile);
    ({ session, page } = opened);
    return opened.close;
  });
  beforeEach(async () => {
    fake.reset();
    await arrive();
  });

  async function arrive(where: TestPage = page, host?: 'insecure'): Promise<void> {
    await where.goto(server.url('/blank.html', host && { host }));
    await load(where);
  }
  // Undefined results of the page become null.
  const prove = (where = page) => where.evaluate(async () => (await window.Whorl.getProof('n')) ?? null);
  const keyOf = async (where = page) => open(await prove(where)).header.kid;

  test('is signed with a non-extractable key that is the same after a reload and in another tab', async () => {
    const proof = await prove();
    const [fingerprint] = await getHash(page);
    const { header, claims } = open(proof);
    expect(header).toMatchObject({ alg: 'ES256', typ: 'whorl-proof+jwt', jwk: { kty: 'EC', crv: 'P-256' } });
    expect(Object.keys(header.jwk).sort()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(claims).toEqual({ nonce: 'n', origin: originOf(server), fingerprint, iat: expect.any(Number) });
    await arrive();
    expect(await keyOf()).toBe(header.kid);
    const other = await session.open();
    await arrive(other);
    expect(await keyOf(other)).toBe(header.kid);
    await other.close();
    const found = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open('whorl');
        opening.onsuccess = () => resolve(opening.result);
      });
      const pair = await new Promise<CryptoKeyPair>((resolve) => {
        const reading = database.transaction('saved').objectStore('saved').get('key');
        reading.onsuccess = () => resolve(reading.result);
      });
      database.close();
      const reading = crypto.subtle.exportKey('jwk', pair.privateKey);
      return { extractable: pair.privateKey.extractable, read: await reading.then(Boolean, () => false) };
    });
    expect(found).toEqual({ extractable: false, read: false });
    expect(await complaints(page)).toEqual([]);
  });

  test('has one key per scope, also for ten concurrent calls', async () => {
    await waitLongerForIndexedDb(page);
    const keys = await page.evaluate(async () => {
      const proofs = await Promise.all([
        ...Array.from({ length: 10 }, () => window.Whorl.getProof('n', { scope: 'new' })),
        window.Whorl.getProof('n'),
      ]);
      return proofs.map((proof) => JSON.parse(atob(proof?.split('.')[0] ?? '')).kid);
    });
    expect(new Set(keys.slice(0, 10)).size).toBe(1);
    expect(keys[10]).not.toBe(keys[0]);
  });

  test('is lost with the stored data, and has another key in a private window', async () => {
    const before = await keyOf();
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('whorl');
          opening.onsuccess = () => {
            const emptying = opening.result.transaction('saved', 'readwrite');
            emptying.objectStore('saved').clear();
            emptying.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
    );
    await arrive();
    const after = await keyOf();
    expect(after).not.toBe(before);
    const inPrivate = await inPage(engine, { privateMode: true }, async (window) => {
      await arrive(window);
      return keyOf(window);
    });
    expect(inPrivate).not.toBe(after);
  });

  const obstacles: Record<string, () => void> = {
    'storage is blocked': blockStorage,
    'IndexedDB hangs': () => {
      IDBFactory.prototype.open = () => Object.create(IDBOpenDBRequest.prototype);
    },
    'IndexedDB takes no keys': () => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (value, key) {
        if (value.privateKey) throw new DOMException('No', 'DataCloneError');
        return put.call(this, value, key);
      };
      IDBObjectStore.prototype.get = () => Object.create(IDBRequest.prototype);
    },
  };
  for (const [name, patch] of Object.entries(obstacles)) {
    test(`is undefined without an error if ${name}`, async () => {
      await page.goto(server.url('/blank.html'));
      await page.evaluate(patch);
      await load(page);
      expect(await prove()).toBeNull();
      await evaluateIn(page, { clientId: 'pk_test_1', baseUrl: fake.origin, action: 'login', user: 'ann' });
      expect(fake.asked.map(({ body }) => body.proof)).toEqual([undefined]);
      expect(await complaints(page)).toEqual([]);
    });
  }

  test('is created on a page whose tasks are long, after prepare', async () => {
    await prove();
    await arrive();
    const proof = await page.evaluate(async () => {
      await window.Whorl.prepare();
      let isOver = false;
      const work = () => {
        const end = performance.now() + 500;
        while (performance.now() < end);
        if (!isOver) setTimeout(work);
      };
      work();
      const collected = await window.Whorl.collect({ nonce: 'n' });
      isOver = true;
      return collected.proof;
    });
    expect(proof).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test('is undefined on plain http', async () => {
    await arrive(page, 'insecure');
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    expect(await prove()).toBeNull();
    expect(await complaints(page)).toEqual([]);
  });

  test('is sent with evaluate, which works without a nonce from the service', async () => {
    const options = { clientId: 'pk_test_1', baseUrl: fake.origin, action: 'login', user: 'ann' };
    await evaluateIn(page, options);
    fake.answerNonce = json(503, { code: 'unavailable' });
    await evaluateIn(page, options);
    fake.answerNonce = json(200, 'no nonce');
    await evaluateIn(page, options);
    const [first, ...others] = fake.asked.map(({ body }) => body);
    expect(open(first?.proof).claims).toMatchObject({ nonce: nonce.nonce, fingerprint: first?.fingerprint });
    expect(others.map(({ proof }) => proof)).toEqual([undefined, undefined]);
  });

  test('does not delay an evaluation for long without a nonce', async () => {
    fake.answerNonce = () => undefined;
    const options = { clientId: 'pk_test_1', baseUrl: fake.origin, action: 'login', user: 'ann' };
    expect((await evaluateIn(page, { ...options, timeout: 1000 })).error?.code).toBe('timeout');
    expect(fake.asked).toEqual([]);
    expect((await evaluateIn(page, options)).answer?.verdict).toBe('allow');
    expect(fake.asked.map(({ body }) => body.proof)).toEqual([undefined]);
  });

  test('identifies the device in both flows', async () => {
    const user = `user of ${engine.name}`;
    const options = { clientId: service.keys.publishable, baseUrl: service.origin, action: 'login', user };
    const { answer } = await evaluateIn(page, options);
    await service.post(`/v2/challenges/${answer?.challenge_id}/complete`);
    const evaluate = async (proof?: string | null) => {
      const [fingerprint] = await getHash(page);
      const request = { action: 'login', user, fingerprint, ip: '203.0.113.9', ...(proof && { proof }) };
      return (await service.post('/v2/device/evaluate', request)).body;
    };
    // A driven browser is also reported as automation.
    const challenged = { verdict: 'challenge', reasons: expect.arrayContaining(['new_ip', 'unproven_device']) };
    expect(await evaluate()).toMatchObject(challenged);
    const given = await service.post('/v2/device/nonce');
    const proof = await page.evaluate((text) => window.Whorl.getProof(text), given.body.nonce as string);
    const proven = await evaluate(proof);
    expect(proven.verdict).toBe('allow');
    expect(proven.reasons).not.toContain('unproven_device');
    expect(await evaluate(proof)).toMatchObject(challenged);
  });

  test('is part of the result of collect, which the service accepts', async () => {
    const given = await service.post('/v2/device/nonce');
    const collected = await page.evaluate((nonce) => window.Whorl.collect({ nonce }), String(given.body.nonce));
    const [fingerprint] = await getHash(page);
    expect(collected).toEqual({
      fingerprint,
      last_fingerprint: expect.any(String),
      version,
      proof: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    const request = { ...collected, action: 'login', user: `collected by ${engine.name}`, ip: '203.0.113.9' };
    const { body } = await service.post('/v2/device/evaluate', request);
    expect(await service.get(`/v2/evaluations/${body.evaluation_id}`)).toMatchObject({ proof: 'valid' });
  });

  test('is omitted by collect without a nonce or a key', async () => {
    const withoutProof = ['fingerprint', 'last_fingerprint', 'version'];
    const collect = (options?: CollectOptions) =>
      page.evaluate(async (given) => Object.keys(await window.Whorl.collect(given)).sort(), options ?? {});
    expect(await collect()).toEqual(withoutProof);
    expect(await page.evaluate(async () => Object.keys(await window.Whorl.collect()).sort())).toEqual(withoutProof);
    await arrive(page, 'insecure');
    expect(await collect({ nonce: 'n' })).toEqual(withoutProof);
    await page.goto(server.url('/blank.html'));
    await page.evaluate(blockStorage);
    await load(page);
    expect(await collect({ nonce: 'n' })).toEqual(withoutProof);
    expect(await complaints(page)).toEqual([]);
  });

  test('of collect covers the fingerprint with the same options', async () => {
    await waitLongerForIndexedDb(page);
    const collected = await page.evaluate(() => window.Whorl.collect({ nonce: 'n', scope: 'shop', timeoutMs: 1900 }));
    const [fingerprint] = await getHash(page, { scope: 'shop' });
    expect(collected.fingerprint).toBe(fingerprint);
    expect(open(collected.proof).claims).toMatchObject({ nonce: 'n', fingerprint });
  });

  test('of collect rejects an invalid nonce', async () => {
    for (const nonce of ['', null, 7]) {
      const error = await page.evaluate(
        (given) => window.Whorl.collect({ nonce: given } as never).catch(({ code, message }) => `${code} ${message}`),
        nonce,
      );
      expect(error).toMatch(/^invalid_options nonce must be /);
    }
  });

  test('rejects an invalid nonce', async () => {
    const code = await page.evaluate(() => window.Whorl.getProof('').catch((error) => error.code));
    expect(code).toBe('invalid_options');
  });
});
