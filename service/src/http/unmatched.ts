import type { Context } from 'hono';
import { ApiError } from '../ground/errors.js';
import type { Service } from '../resources/service.js';
import type { HttpEnv } from './environment.js';
import { problemResponse, toResponse } from './response.js';

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Returns a handler for unmatched requests: 405 if the path exists with another method, otherwise 404. */
export function unmatched(routes: readonly Route[], { publicUrl }: Pick<Service, 'publicUrl'>) {
  const patterns = routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (c: Context<HttpEnv>): Response => {
    const methods = patterns.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method);
    const allow = [
      ...new Set(methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))),
    ].join(', ');
    const error = allow
      ? new ApiError('method_not_allowed', { detail: `This path accepts ${allow}.` })
      : new ApiError('not_found', { detail: 'This path does not exist.' });
    const headers = new Headers(allow ? { Allow: allow } : {});
    return toResponse(problemResponse(error, { publicUrl, requestId: c.get('requestId') }), headers);
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}
