import type { Context } from 'hono';
import { lastPosition } from '../ground/db/replica/position-rules.js';
import { readerOf, type Service } from '../resources/service.js';
import { readWrittenCookie, writtenCookie } from './request.js';

/** Returns the service for the reads of a page, which include every change of this browser. */
export function readerFor(service: Service, c: Context): Service {
  return service.replica ? readerOf(service, readWrittenCookie(service, c)) : service;
}

/**
 * Adds the cookie by which the next pages of this browser include what a form has changed, whichever process serves them.
 * Without a read replica, nothing is needed.
 */
export async function rememberWrite(service: Service, response: Response): Promise<void> {
  const { replica } = service;
  if (!replica) return;
  // If the primary has just failed, the change may be saved already: the next pages must not come from the replica.
  const position = await replica.position().catch(() => lastPosition);
  response.headers.append('Set-Cookie', writtenCookie(service, position, replica.maxLagMs));
}
