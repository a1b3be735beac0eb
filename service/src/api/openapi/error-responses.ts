import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ErrorCode } from 'whorl/wire';
import { errorTable } from '../../ground/errors.js';
import { type Endpoint, isIdempotent } from '../../http/endpoint.js';
import { errorCodes, errorGuide } from '../../http/error-guide.js';
import type { PublicRoute } from '../../http/public-route.js';

/** Errors of every endpoint. */
const commonCodes: readonly ErrorCode[] = ['unauthorized', 'rate_limited', 'timeout', 'internal', 'unavailable'];

const queryCodes: readonly ErrorCode[] = ['invalid_request'];

const bodyCodes: readonly ErrorCode[] = ['invalid_request', 'too_large', 'unsupported_media_type'];

const postCodes: readonly ErrorCode[] = [...bodyCodes, 'user_busy'];

const idempotencyCodes: readonly ErrorCode[] = ['idempotency_in_flight', 'idempotency_mismatch'];

const versionCodes: readonly ErrorCode[] = ['precondition_failed', 'precondition_required'];

/** Returns all error codes of an endpoint, in the order of the error table. */
export function codesOf(endpoint: Endpoint): ErrorCode[] {
  const { method, query, versioned = false, errors = [] } = endpoint;
  const byMethod = {
    get: query ? queryCodes : [],
    post: [...postCodes, ...(isIdempotent(endpoint) ? idempotencyCodes : [])],
    put: [...bodyCodes, ...(versioned ? versionCodes : [])],
    delete: [],
  };
  return inOrder(new Set([...commonCodes, 'forbidden', 'insufficient_scope', ...errors, ...byMethod[method]]));
}

export function codesOfPublicRoute({ errors = [] }: PublicRoute): ErrorCode[] {
  return inOrder(new Set([...errors, 'internal']));
}

function inOrder(codes: ReadonlySet<ErrorCode>): ErrorCode[] {
  return errorCodes.filter((code) => codes.has(code));
}

/** Groups error codes by HTTP status. */
function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))];
  return statuses.map((status) => [status, codes.filter((code) => errorTable[code].status === status)]);
}

const nameOf = (codes: readonly ErrorCode[]) => codes.join('-or-');

export function problems(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    byStatus(codes).map(([status, group]) => [status, { $ref: `#/components/responses/${nameOf(group)}` }]),
  );
}

/** Registers each set of codes once, because many endpoints share the same errors. */
export function registerProblems(
  registry: OpenAPIHono['openAPIRegistry'],
  codesOfRoutes: readonly ErrorCode[][],
): void {
  const groups = new Map(codesOfRoutes.flatMap(byStatus).map(([, group]) => [nameOf(group), group]));
  for (const [name, group] of groups) {
    const schema = {
      allOf: [
        { $ref: '#/components/schemas/Problem' },
        { type: 'object' as const, properties: { code: { type: 'string' as const, enum: [...group] } } },
      ],
    };
    registry.registerComponent('responses', name, {
      description: group.map((code) => `\`${code}\`: ${errorGuide[code].meaning}`).join(' '),
      content: { 'application/problem+json': { schema } },
    });
  }
}
