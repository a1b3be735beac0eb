import { ApiError } from '../errors.js';
import { listAllowedOrigins, listOriginsOfProject } from '../projects/queries/origins.js';
import type { Caller, Service } from '../service.js';

/** How long the origins of all projects are taken from memory. */
const freshMs = 30_000;
/** How often they are read anew, at most, for an origin that is not among them. */
const readAgainMs = 1000;

/** The origins that any project allows: what a preflight, which brings no key, is answered by. */
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
  // Those who ask meanwhile wait for the same answer.
  const readOnce = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return {
    async has(origin) {
      const age = known ? performance.now() - known.readAt : Number.POSITIVE_INFINITY;
      if (age < (known?.origins.has(origin) ? freshMs : readAgainMs)) return known?.origins.has(origin) ?? false;
      // While the database is away, what was known lets a page read what it is told of that.
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

/** Lets the page of an origin read the answer (Fetch standard, CORS protocol). */
export function allowOrigin(headers: Headers, origin: string): void {
  headers.set('Access-Control-Allow-Origin', origin);
  headers.set('Access-Control-Expose-Headers', exposed);
}

/** @throws {ApiError} `forbidden`, where a publishable key is used from elsewhere than its project's own origins. */
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
        ? 'A publishable key is for browsers: the request has no Origin.'
        : "The origin is not among the project's allowed origins.",
  });
}

const allowedHeaders = {
  GET: 'Authorization, Last-Event-ID, X-Request-Id',
  POST: 'Authorization, Content-Type, X-Request-Id',
} as const;

/**
 * What answers a preflight.
 *
 * @throws {ApiError} `forbidden`, where no project allows the origin.
 */
export async function answerPreflight(
  origins: AllowedOrigins,
  origin: string | undefined,
  method: 'GET' | 'POST',
): Promise<Headers> {
  const headers = new Headers({ Vary: 'Origin' });
  if (origin === undefined || !(await origins.has(origin))) {
    throw new ApiError('forbidden', { detail: 'No project has this origin among its allowed origins.' });
  }
  allowOrigin(headers, origin);
  headers.set('Access-Control-Allow-Methods', method);
  headers.set('Access-Control-Allow-Headers', allowedHeaders[method]);
  headers.set('Access-Control-Max-Age', '600');
  return headers;
}
