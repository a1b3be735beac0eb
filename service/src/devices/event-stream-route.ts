import type { Context } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { validate as isUuid } from 'uuid';
import type { DeviceNews } from 'whorl/wire';
import { type DeviceToken, deviceTokenHours, signDeviceToken, verifyDeviceToken } from '../crypto/index.js';
import { ApiError } from '../errors.js';
import { answerError, jsonAnswer, toResponse } from '../http/answer.js';
import { bearerKey } from '../http/authenticate.js';
import type { HttpEnv } from '../http/environment.js';
import { openEventStream } from '../http/event-stream.js';
import { allowOrigin, isAllowedBy } from '../http/origins.js';
import type { PublicParts, PublicRoute } from '../http/public/route.js';
import { deviceId } from '../http/schemas/params.js';
import { withDeadline } from '../http/work-limits.js';
import { hourMs } from '../time.js';
import { newsOf } from './rules/news.js';
import { deviceNews } from './schemas.js';
import { readDeviceState } from './watch.js';

const timeoutMs = 10_000;
/** How long one stream may last: long enough to be cheap, short enough that processes share the work anew. */
const longestMs = hourMs;
/** How often one device may ask: all its tabs together, after a break. */
const openings = { points: 30, duration: 10 } as const;

export const events: PublicRoute = {
  path: '/v2/device/{id}/events',
  operationId: 'deviceEvents',
  summary: 'What the page of a device has to hear: that it is detached, or challenged',
  description:
    'Takes the `device_token` of an evaluation or attachment as `Authorization: Bearer <device_token>`, from pages of the ' +
    "project's allowed origins. Server-sent events `detached`, `challenge` and `token`, resumed with `Last-Event-ID`. With " +
    '`Accept: application/json` the same as one answer, for where streams do not get through.',
  contentType: 'text/event-stream',
  json: deviceNews,
  params: deviceId,
  withDeviceToken: true,
  errors: ['unauthorized', 'forbidden', 'not_found', 'timeout', 'rate_limited', 'unavailable'],
  prepare(parts) {
    const limiter = new RateLimiterMemory(openings);
    return async (c) => {
      const headers = new Headers({ 'Cache-Control': 'no-store', Vary: 'Origin, Accept' });
      try {
        return await withDeadline(timeoutMs, () => answer(parts, limiter, c, headers));
      } catch (thrown) {
        return toResponse(answerError(parts.service, thrown, c.get('requestId')), headers);
      }
    };
  },
};

async function answer(
  parts: PublicParts,
  limiter: RateLimiterMemory,
  c: Context<HttpEnv>,
  headers: Headers,
): Promise<Response> {
  const { service } = parts;
  // Before anything is read: what is told to a page afterwards is not older than this.
  const now = service.now();
  const token = await authorise(parts, c, headers, now);
  await takeTurn(limiter, token.device);
  const read = () => readDeviceState(service, { projectId: token.project, id: token.device });
  const page = {
    ...{ device: token.device, project: token.project },
    issuedAt: new Date(token.expires.getTime() - deviceTokenHours * hourMs),
  };
  const newerToken =
    token.isOutdated || isHalfOver(token, now) ? signDeviceToken(service.vault, token, now) : undefined;
  const after = idIn(c.req.header('last-event-id'));
  // An answer to HEAD has no body that anyone would read to its end.
  if (asksForJson(c) || c.req.method === 'HEAD') {
    const news: DeviceNews = {
      data: newsOf(await read(), page, after),
      ...(newerToken && { device_token: newerToken }),
    };
    return toResponse(jsonAnswer(news), headers);
  }
  const stream = await openEventStream({
    ...{ watch: parts.watch, page, after, newerToken, now: service.now, signal: c.req.raw.signal },
    endsAt: new Date(Math.min(token.expires.getTime(), now.getTime() + longestMs * (0.5 + Math.random() / 2))),
    read,
  });
  headers.set('Content-Type', 'text/event-stream');
  // Of nginx: to pass on what comes at once.
  headers.set('X-Accel-Buffering', 'no');
  return new Response(stream, { headers });
}

/**
 * Whose page asks. A request without `Origin` comes from a page of the service's own origin, or from no page.
 *
 * @throws {ApiError} `unauthorized`, `forbidden` for an origin that the project does not allow, `not_found` for the token
 *   of another device.
 */
async function authorise(
  { service, origins }: PublicParts,
  c: Context<HttpEnv>,
  headers: Headers,
  now: Date,
): Promise<DeviceToken> {
  const origin = c.req.header('origin');
  // Before the token is looked at, so that a page can read that it is too old.
  if (origin !== undefined && (await origins.has(origin))) allowOrigin(headers, origin);
  const token = verifyDeviceToken(service.vault, bearerKey(c.req.header('authorization')) ?? '', now);
  if (!token) throw new ApiError('unauthorized', { detail: 'The device token is missing, wrong, or too old.' });
  if (origin !== undefined && !(await isAllowedBy(service, token.project, origin))) {
    headers.delete('Access-Control-Allow-Origin');
    throw new ApiError('forbidden', { detail: "The origin is not among the project's allowed origins." });
  }
  if (token.device !== c.req.param('id'))
    throw new ApiError('not_found', { detail: 'The token is of another device.' });
  c.set('projectId', token.project);
  return token;
}

async function takeTurn(limiter: RateLimiterMemory, device: string): Promise<void> {
  try {
    await limiter.consume(device);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new ApiError('rate_limited', { retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) });
  }
}

function isHalfOver({ expires }: DeviceToken, now: Date): boolean {
  return expires.getTime() - now.getTime() < (deviceTokenHours * hourMs) / 2;
}

/** What is no id of a challenge was not given by us, or came with what is told again anyway. */
function idIn(lastEventId: string | undefined): string {
  return lastEventId && isUuid(lastEventId) ? lastEventId : '';
}

function asksForJson(c: Context): boolean {
  const accept = c.req.header('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/event-stream');
}
