import type { Context } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { validate as isUuid } from 'uuid';
import type { DeviceNews } from 'whorl/wire';
import { type DeviceToken, deviceTokenHours, signDeviceToken, verifyDeviceToken } from '../../ground/crypto/index.js';
import { ApiError } from '../../ground/errors.js';
import { hourMs } from '../../ground/time.js';
import { bearerKey } from '../../http/authenticate.js';
import type { HttpEnv } from '../../http/environment.js';
import { openEventStream } from '../../http/event-stream.js';
import { allowOrigin, isAllowedBy } from '../../http/origins.js';
import type { PublicParts, PublicRoute } from '../../http/public-route.js';
import { errorResponse, jsonResponse, toResponse } from '../../http/response.js';
import { deviceId } from '../../http/schemas/params.js';
import { withDeadline } from '../../http/work-limits.js';
import type { DeviceState } from '../../resources/devices/queries/device-ends.js';
import { newsOf, type WaitingPage } from '../../resources/devices/rules/news.js';
import { readDeviceState } from '../../resources/devices/watch.js';
import { deviceNews } from './event-stream-schemas.js';

const timeoutMs = 10_000;
/** Maximum duration of a stream: long enough to be cheap, short enough to balance streams across processes. */
const maxStreamMs = hourMs;
/** Rate limit of a device's requests. Allows all its tabs to reconnect together after an interruption. */
const requestLimit = { points: 30, duration: 10 } as const;

export const events: PublicRoute = {
  path: '/v2/device/{id}/events',
  operationId: 'deviceEvents',
  summary: 'Stream the events of a device',
  description:
    'Sends server-sent events to a page: `detached`, `challenge` and `token`. Authenticate with the `device_token` of an ' +
    "evaluation or attachment, as `Authorization: Bearer <device_token>`, from one of the project's allowed origins. Use " +
    '`Last-Event-ID` to resume a stream. If streams are blocked, request `Accept: application/json` to get the same ' +
    'events in one response.',
  contentType: 'text/event-stream',
  json: deviceNews,
  params: deviceId,
  withDeviceToken: true,
  errors: ['unauthorized', 'forbidden', 'not_found', 'timeout', 'rate_limited', 'unavailable'],
  prepare(parts) {
    const limiter = new RateLimiterMemory(requestLimit);
    return async (c) => {
      const headers = new Headers({ Vary: 'Origin, Accept' });
      try {
        return await withDeadline(timeoutMs, () => response(parts, limiter, c, headers));
      } catch (thrown) {
        return toResponse(errorResponse(parts.service, thrown, c.get('requestId')), headers);
      }
    };
  },
};

async function response(
  parts: PublicParts,
  limiter: RateLimiterMemory,
  c: Context<HttpEnv>,
  headers: Headers,
): Promise<Response> {
  const { service } = parts;
  // Taken before any data is read, so that the data is never older.
  const now = service.now();
  const token = await authorise(parts, c, headers, now);
  await consumeRequest(limiter, token.device);
  const read = () => readDeviceState(service, { projectId: token.project, id: token.device });
  const page = {
    device: token.device,
    project: token.project,
    issuedAt: new Date(token.expires.getTime() - deviceTokenHours * hourMs),
  };
  // A renewed token looks like one of a later login, so a device that was signed out gets none.
  const isRenewable = (token.isOutdated || isHalfExpired(token, now)) && isSignedIn(await read(), page);
  const newerToken = isRenewable ? signDeviceToken(service.vault, token, now) : undefined;
  const after = challengeIdOf(c.req.header('last-event-id'));
  // The body of a response to HEAD would never be read, so no stream is opened.
  if (acceptsJson(c) || c.req.method === 'HEAD') {
    const news: DeviceNews = {
      data: newsOf(await read(), page, after),
      ...(newerToken && { device_token: newerToken }),
    };
    return toResponse(jsonResponse(news), headers);
  }
  const stream = await openEventStream({
    watch: parts.watch,
    page,
    after,
    newerToken,
    now: service.now,
    signal: c.req.raw.signal,
    endsAt: new Date(Math.min(token.expires.getTime(), now.getTime() + maxStreamMs * (0.5 + Math.random() / 2))),
    read,
  });
  headers.set('Content-Type', 'text/event-stream');
  // Turns off buffering in nginx.
  headers.set('X-Accel-Buffering', 'no');
  return new Response(stream, { headers });
}

/**
 * Returns the verified device token. A request without `Origin` comes from a page of the service's own origin, or not
 * from a page.
 *
 * @throws {ApiError} `unauthorized`; `forbidden` if the project does not allow the origin; `not_found` if the token
 *   belongs to another device.
 */
async function authorise(
  { service, origins }: PublicParts,
  c: Context<HttpEnv>,
  headers: Headers,
  now: Date,
): Promise<DeviceToken> {
  const origin = c.req.header('origin');
  // Set before the token is verified, so that a page can read the error for an expired token.
  if (origin !== undefined && (await origins.has(origin))) allowOrigin(headers, origin);
  const token = verifyDeviceToken(service.vault, bearerKey(c.req.header('authorization')) ?? '', now);
  if (!token) throw new ApiError('unauthorized', { detail: 'The device token is missing, invalid or expired.' });
  if (origin !== undefined && !(await isAllowedBy(service, token.project, origin))) {
    headers.delete('Access-Control-Allow-Origin');
    throw new ApiError('forbidden', { detail: "This origin is not one of the project's allowed origins." });
  }
  if (token.device !== c.req.param('id'))
    throw new ApiError('not_found', { detail: 'The token belongs to another device.' });
  c.set('projectId', token.project);
  return token;
}

async function consumeRequest(limiter: RateLimiterMemory, device: string): Promise<void> {
  try {
    await limiter.consume(device);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new ApiError('rate_limited', { retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) });
  }
}

/** Returns whether the device is attached, and has not been signed out since the token was issued. */
function isSignedIn(state: DeviceState | undefined, page: WaitingPage): boolean {
  return state?.status === 'attached' && newsOf(state, page).every(({ type }) => type !== 'detached');
}

function isHalfExpired({ expires }: DeviceToken, now: Date): boolean {
  return expires.getTime() - now.getTime() < (deviceTokenHours * hourMs) / 2;
}

/** Ignores other event IDs: they are not from this service, or belong to events that are sent again anyway. */
function challengeIdOf(lastEventId: string | undefined): string {
  return lastEventId && isUuid(lastEventId) ? lastEventId : '';
}

function acceptsJson(c: Context): boolean {
  const accept = c.req.header('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/event-stream');
}
