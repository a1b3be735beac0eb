import { beforeAll, beforeEach, expect, test } from 'vitest';
import { version } from '../../src/version';
import { describeEngines } from './harness/engines';
import type { TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { type OpenedEvaluate, openEvaluate } from './support/evaluate';
import type { EvaluateServer } from './support/evaluate-server';
import { callAfter } from './support/hostile';

/** What a script of the page does before ours runs. */
const scripts: Readonly<Record<string, () => void>> = {
  'objects with toJSON': () => {
    Object.assign(Object.prototype, { toJSON: () => 'changed' });
  },
  'objects with a toJSON that throws': () => {
    Object.assign(Object.prototype, {
      toJSON: () => {
        throw new Error('Thrown by the page');
      },
    });
  },
  'lists with toJSON': () => {
    Object.assign(Array.prototype, { toJSON: () => 'changed' });
  },
  'lists with a toJSON that throws': () => {
    Object.assign(Array.prototype, {
      toJSON: () => {
        throw new Error('Thrown by the page');
      },
    });
  },
  'objects that inherit options': () => {
    const texts = { email: 'mallory@example.com', phone: '+15550199', returnUrl: 7, nonce: 7 };
    Object.assign(Object.prototype, { ...texts, onChallenge: 7, signal: 7, timeout: -1 });
  },
  'an accessor that lists inherit': () => {
    Object.defineProperty(Array.prototype, 0, { configurable: true, get: () => 'changed', set: () => undefined });
  },
};

function claimsOf(proof: string): unknown {
  const [, claims = ''] = proof.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

describeEngines('a page whose scripts give', (engine) => {
  let server: TestServer;
  let page: TestPage;
  let service: EvaluateServer;
  let options: OpenedEvaluate['options'];
  beforeAll(async () => {
    const opened = await openEvaluate(engine);
    ({ server, page, service, options } = opened);
    return opened.close;
  });
  beforeEach(() => service.reset());

  test.each(Object.entries(scripts))('%s: evaluate sends what it was given', async (_, script) => {
    const metadata = { plan: 'pro', list: [1, null, { nested: [] }], at: '2026-11-24T00:00:00.000Z' };
    const { email, phone, ...given } = options({ metadata });
    // A date keeps its own toJSON.
    const call = `(await Whorl.evaluate(Object.assign(${JSON.stringify(given)}, {
      metadata: Object.assign(${JSON.stringify(metadata)}, { at: new Date(Date.UTC(2026, 10, 24)), left: undefined }),
    }))).verdict`;
    expect(await callAfter(page, server.url('/blank.html'), script, call)).toBe('allow');
    const { proof = '', fingerprint, ...body } = { ...service.asked[0]?.body };
    expect(body).toEqual({
      user: given.user,
      action: 'login',
      metadata,
      last_fingerprint: expect.any(String),
      version,
    });
    expect(claimsOf(proof)).toMatchObject({ nonce: 'a-nonce-of-the-tests', fingerprint });
  });

  test.each(Object.entries(scripts))('%s: collect proves the nonce that it was given', async (_, script) => {
    const call = `{ const { fingerprint, proof } = await Whorl.collect({ nonce: 'n' }); return fingerprint + ' ' + proof; }`;
    const result = await callAfter<string>(page, server.url('/blank.html'), script, `(async () => ${call})()`);
    const [fingerprint, proof = ''] = result.split(' ');
    expect(claimsOf(proof)).toMatchObject({ nonce: 'n', fingerprint });
  });

  test.each(Object.entries(scripts))('%s: collect without a nonce creates no proof', async (_, script) => {
    const call = `String((await Whorl.collect()).proof)`;
    expect(await callAfter(page, server.url('/blank.html'), script, call)).toBe('undefined');
  });
});
