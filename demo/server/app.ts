import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Demo, DemoEnv } from './demo.js';
import { answerError, Refusal } from './http/errors.js';
import { readFields } from './http/fields.js';
import { plainText, recordExchange, requireKnownHost, requireOwnOrigin, securityHeaders } from './http/middleware.js';
import { checkChallenge, sendCode, verifyCode } from './routes/challenge.js';
import { blockDevice, listDevices, signOutDevice, unblockDevice } from './routes/devices.js';
import { sendEvents } from './routes/events.js';
import { checkPassword, consumeToken, createNonce, logIn } from './routes/log-in.js';
import { addPages, showMail } from './routes/pages.js';
import { logOut, readSession } from './routes/session.js';
import { signUp } from './routes/sign-up.js';
import { receiveWebhook, WEBHOOK_PATH } from './routes/webhooks.js';

const MAX_BODY_BYTES = 16 * 1024;
/** An account sharing signal lists all devices of a user. */
const MAX_WEBHOOK_BYTES = 256 * 1024;

/** Returns the demo's server: pages, the API behind them, and the receiver of webhooks. */
export function createApp(demo: Demo): Hono<DemoEnv> {
  const app = new Hono<DemoEnv>();
  app.use(async (c, next) => {
    c.set('demo', demo);
    await next();
  });
  app.use(requireKnownHost, securityHeaders);
  const webhookLimit = bodyLimit({ maxSize: MAX_WEBHOOK_BYTES, onError: (c) => c.body(null, 413) });
  app.post(WEBHOOK_PATH, webhookLimit, receiveWebhook);
  app.get('/mailbox/:file{[\\w-]+\\.html}', showMail);
  app.route('/api', createApi());
  addPages(app);
  return app;
}

/** Returns the application that responds while the service is starting. */
export function createStartingApp(): Hono {
  return new Hono().all('*', (c) => plainText(c, 503, 'The demo is starting. Try again in a moment.'));
}

/** Returns the API of the pages. */
function createApi(): Hono<DemoEnv> {
  const api = new Hono<DemoEnv>();
  api.onError(answerError);
  api.get('/events', sendEvents);
  api.use(recordExchange);
  api.on('POST', '*', requireOwnOrigin, bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseLargeBody }), readFields);

  api.get('/session', readSession);
  api.post('/sign-up', signUp);
  api.post('/nonce', createNonce);
  api.post('/log-in', logIn);
  api.post('/password', checkPassword);
  api.post('/token', consumeToken);
  api.post('/challenge/send', sendCode);
  api.post('/challenge/verify', verifyCode);
  api.post('/challenge/check', checkChallenge);
  api.get('/devices', listDevices);
  api.post('/devices/sign-out', signOutDevice);
  api.post('/devices/block', blockDevice);
  api.post('/devices/unblock', unblockDevice);
  api.post('/log-out', logOut);

  api.all('*', () => {
    throw new Refusal(404, 'not_found', 'Not found.');
  });
  return api;
}

function refuseLargeBody(): never {
  throw new Refusal(413, 'too_large', 'The body is too large.');
}
