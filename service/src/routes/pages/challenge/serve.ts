import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { defaultSettings } from '../../../domain/settings.js';
import { clientAddress } from '../../../http/client-address.js';
import { withDeadline } from '../../../http/deadline.js';
import type { HttpEnv } from '../../../http/environment.js';
import type { Serving } from '../../../http/serve.js';
import { answerFailure } from './answer.js';

/** Visitors bring no key, and many may share one address: so many requests a second for all of them. */
const rateLimits = { ...defaultSettings.rate_limits, publishable_per_second: 50, publishable_burst: 100 };
const settings = { ...defaultSettings, rate_limits: rateLimits };
const visitors = { keyId: 'challenge-page', kind: 'publishable', settings } as const;

/** Answers within the time that there is, and not more often than one address may ask; a refusal is a page too. */
export async function servePage(
  { service, config, limits }: Serving,
  c: Context<HttpEnv>,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await withDeadline(config.timeoutMs, async () => {
      const { address: connection } = getConnInfo(c).remote;
      const address = clientAddress(connection, c.req.header('x-forwarded-for'), config.trustedProxies);
      await limits.take(visitors, address, new Headers());
      return answer();
    });
  } catch (thrown) {
    return answerFailure(service, c, thrown);
  }
}
