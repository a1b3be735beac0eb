import { ApiError } from '../ground/errors.js';
import { listAllowedOrigins, listOriginsOfProject } from '../resources/projects/queries/origins.js';
import type { Caller, Service } from '../resources/service.js';

/** Time for which a known origin is served from memory. */
const cacheMs = 30_000;
/** Minimum interval between reads caused by unknown origins. */
const minReadIntervalMs = 1000;

/** Allowed origins of all projects. Preflights are checked against them, because they carry no key. */
export interface AllowedOrigins {
  has(origin: string): Promise<boolean>;
}

export function createAllowedOrigins({ db }: Service): AllowedOrigins {
  let known: { origins: ReadonlySet<string>; readAt: number } | undefined;
  let reading: Promise<void> | undefined;
  const read = async () => {
    const readAt = performance.now();
    known = { origins: new Set(await listAllowedOrigins(db)), readAt };
  };
  // Concurrent callers share one read.
  const readOnce = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return {
    async has(origin) {
      const age = known ? performance.now() - known.readAt : Number.POSITIVE_INFINITY;
      if (age < (known?.origins.has(origin) ? cacheMs : minReadIntervalMs)) return known?.origins.has(origin) ?? false;
      // If the database is unavailable, the cached origins still let a page read the error.
      await readOnce().catch((error: unknown) => {
        if (!known) throw error;
      });
      return known?.origins.has(origin) ?? false;
    },
  };
}

/** Returns whether a project allows an origin. */
export async function isAllowedBy({ db }: Service, projectId: string, origin: string): Promise<boolean> {
  return (await listOriginsOfProject(db, projectId)).includes(origin);
}

const exposed = 'Retry-After, X-Request-Id, RateLimit, RateLimit-Policy';

/** Allows pages of an origin to read the response (Fetch standard, CORS protocol). */
export function allowOrigin(headers: Headers, origin: string): void {
  headers.set('Access-Control-Allow-Origin', origin);
  headers.set('Access-Control-Expose-Headers', exposed);
}

/** @throws {ApiError} `forbidden`, if a publishable key is used outside its project's allowed origins. */
export function checkOrigin({ kind, settings }: Caller, origin: string | undefined, headers: Headers): void {
  if (kind === 'secret') return;
  if (origin !== undefined && settings.allowed_origins.includes(origin)) {
    allowOrigin(headers, origin);
    return;
  }
  headers.delete('Access-Control-Allow-Origin');
  throw new ApiError('forbidden', {
    detail:
      origin === undefined
        ? 'Publishable keys work only in browsers. The request has no Origin header.'
        : "The origin is not one of the project's allowed origins.",
  });
}

const allowedHeaders = {
  GET: 'Authorization, Last-Event-ID, X-Request-Id',
  POST: 'Authorization, Content-Type, X-Request-Id',
} as const;

/**
 * Returns the headers of the response to a preflight.
 *
 * @throws {ApiError} `forbidden`, if no project allows the origin.
 */
export async function preflightHeaders(
  origins: AllowedOrigins,
  origin: string | undefined,
  method: 'GET' | 'POST',
): Promise<Headers> {
  const headers = new Headers({ Vary: 'Origin' });
  if (origin === undefined || !(await origins.has(origin))) {
    throw new ApiError('forbidden', { detail: 'No project allows this origin.' });
  }
  allowOrigin(headers, origin);
  headers.set('Access-Control-Allow-Methods', method);
  headers.set('Access-Control-Allow-Headers', allowedHeaders[method]);
  headers.set('Access-Control-Max-Age', '600');
  return headers;
}
