import { fingerprintOf } from './fingerprints.js';
import type { ApiAnswer, TestProject, TestService } from './service.js';

export const home = '198.51.100.7';
export const elsewhere = '203.0.113.9';
export const laptop = fingerprintOf({ seed: 'laptop' });
export const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });
export const tablet = fingerprintOf({ seed: 'tablet', descriptor: 'taw18' });

/** Server of a customer, which calls the API with the secret key of one world. */
export interface Customer {
  get(path: string): Promise<ApiAnswer>;
  /** Fails unless the status is 200. */
  ask(path: string, body?: object): Promise<ApiAnswer['body']>;
  post(path: string, body?: object, headers?: Record<string, string>): Promise<ApiAnswer>;
  evaluate(request: object): Promise<ApiAnswer['body']>;
  /** Creates a challenge for a device that is new to its user. Returns the evaluation. */
  challenge(user: string, more?: object): Promise<ApiAnswer['body']>;
  /** Creates a challenge and sends its code. Returns the challenge's ID and the code. */
  sendCode(user: string, more?: object): Promise<{ id: string; code: string }>;
  /** Evaluates from a page at `home`, with the publishable key. */
  claim(user: string, more?: object): Promise<ApiAnswer['body']>;
}

/** Origin of the customer's pages. Projects must allow it before pages can call the API. */
export const origin = 'https://shop.example';

export function customerOf(service: TestService, project: TestProject, mode: 'live' | 'test' = 'live'): Customer {
  const { secret, publishable } = project.keys[mode];
  const get = (path: string) => service.api(path, { key: secret });
  const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
    service.api(path, { key: secret, body, headers });
  const ask = async (path: string, body?: object) => succeed(path, await post(path, body));
  const evaluate = (request: object) => ask('/v2/device/evaluate', request);
  const challenge = async (user: string, more: object = {}) => {
    const request = { action: 'login', user, fingerprint: laptop, ip: home, email: `${user}@example.com`, ...more };
    const evaluation = await evaluate(request);
    if (!evaluation.challenge_id) throw new Error(`Not challenged: ${JSON.stringify(evaluation)}`);
    return evaluation;
  };
  return {
    get,
    ask,
    post,
    evaluate,
    challenge,
    async sendCode(user, more) {
      const { challenge_id: id } = await challenge(user, more);
      await ask(`/v2/challenges/${id}/send`);
      return { id, code: service.outbox.at(-1)?.code ?? '' };
    },
    async claim(user, more = {}) {
      const body = { action: 'login', user, fingerprint: laptop, ...more };
      const path = '/v2/device/evaluate';
      return succeed(
        path,
        await service.api(path, { key: publishable, body, headers: { Origin: origin, 'X-Forwarded-For': home } }),
      );
    },
  };
}

function succeed(path: string, { status, body }: ApiAnswer): ApiAnswer['body'] {
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Returns a different code. */
export function differentCode(code: string): string {
  return code === '000000' ? '111111' : '000000';
}
