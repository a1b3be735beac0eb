import type { Context } from 'hono';
import { ApiError } from '../errors.js';
import type { HttpEnv } from '../http/environment.js';
import type { Service } from '../service.js';
import { answerFailure } from './answer.js';

/** Whether a person looks for a page of the dashboard: programs get problems as JSON. */
export function isLookedAt(c: Context<HttpEnv>): boolean {
  return c.req.method === 'GET' && c.req.path.startsWith('/dashboard/');
}

/** Where no page is. */
export function answerNowhere(service: Service, c: Context<HttpEnv>): Response {
  return answerFailure(service, c, new ApiError('not_found', { detail: 'There is nothing at this address.' }));
}
