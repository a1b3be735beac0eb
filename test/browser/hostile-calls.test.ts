import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { version } from '../../src/version';
import { describeEngines } from './harness/engines';
import type { TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { type OpenedEvaluate, openEvaluate } from './support/evaluate';
import { allowed, type EvaluateServer, json } from './support/evaluate-server';
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
  'objects that inherit settings of a request': () => {
    Object.assign(Object.prototype, { mode: 'no-cors', integrity: 'sha256-AAAA', keepalive: 'yes', cache: 7 });
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

  describe('objects that inherit fields of an answer', () => {
    /** Returns a script that adds fields to all objects. */
    const inherited = (fields: object) => `Object.assign(Object.prototype, ${JSON.stringify(fields)})`;
    const evaluated = () =>
      `Whorl.evaluate(${JSON.stringify(options())}).then(
        (answer) => JSON.stringify([answer.verdict, answer.challenge_id, answer.challenge_url, location.pathname]),
        (error) => JSON.stringify([error.code, error.status, error.problemCode, error.requestId]),
      )`;
    const resultAfter = async (fields: object, call: string): Promise<unknown> =>
      JSON.parse(await callAfter<string>(page, server.url('/blank.html'), inherited(fields), call));

    test('evaluate does not navigate, and returns no challenge', async () => {
      const fields = { challenge_id: 'changed', challenge_url: server.url('/framed.html?') };
      expect(await resultAfter(fields, evaluated())).toEqual(['allow', null, null, '/blank.html']);
    });

    test('evaluate does not take an answer without fields for a verdict', async () => {
      service.answer = json(200, {});
      expect(await resultAfter({ ...allowed }, evaluated())).toEqual(['http', 200, null, null]);
    });

    test('evaluate reports no code of a problem that the service did not send', async () => {
      service.answer = json(500, {});
      const fields = { code: 'changed', request_id: 'changed', problemCode: 'changed', requestId: 'changed' };
      expect(await resultAfter(fields, evaluated())).toEqual(['http', 500, null, null]);
    });

    test('evaluate proves no nonce that the service did not send', async () => {
      service.answerNonce = json(200, {});
      expect(await resultAfter({ nonce: 'changed' }, evaluated())).toContain('allow');
      expect(service.asked.map(({ body }) => body.proof)).toEqual([undefined]);
    });

    test('getHash returns no last fingerprint that it did not save', async () => {
      const call = `(async () => {
        const scope = String(Math.random());
        const pairs = [await Whorl.getHash({ scope }), await Whorl.getHash({ scope })];
        return JSON.stringify([pairs[0][1], pairs[1][1] === pairs[0][0]]);
      })()`;
      const fields = { previous: 'w1.changed', changedAt: Date.now(), current: 'w1.changed', savedAt: Date.now() };
      expect(await resultAfter(fields, call)).toEqual(['', true]);
    });
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
