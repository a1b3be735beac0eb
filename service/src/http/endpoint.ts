import type { z } from '@hono/zod-openapi';
import type { ErrorCode, RequestWarning } from 'whorl/wire';
import { isRecord } from '../ground/record-rules.js';
import type { Address } from '../resources/addresses/addresses.js';
import type { Caller, Service } from '../resources/service.js';
import type { Metrics } from './metrics.js';
import { parserOf, pathParserOf, queryParserOf } from './parse.js';
import type { Allowance } from './rate-limits.js';
import type { Plain } from './schemas/wire-schema.js';
import { boundedWarnings, unknownFields } from './warnings.js';

/** An endpoint with its types erased, so that all endpoints fit into one table. */
export interface Endpoint extends EndpointOptions<z.ZodType, z.ZodType, z.ZodType, z.ZodType> {
  /** Validates a request and handles it. */
  serve(request: ReceivedRequest): Promise<unknown>;
}

export interface EndpointOptions<Params, Query, Body, ResponseSchema> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** In OpenAPI syntax: `/v2/challenges/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Keys that may call it. Publishable keys work only from the project's allowed origins. Default: `secret`. */
  readonly keys?: 'secret' | 'any';
  /** Scope that secret keys need instead of the usual ones (scopes.ts). Default: the usual ones. */
  readonly scope?: 'manage' | 'manage_or_read' | 'read';
  /** Whether it creates the object that its path names, instead of responding with 404. Default: false. */
  readonly createsMissing?: boolean;
  /** Body fields that are ignored with a publishable key. They are removed before validation. */
  readonly ignoredWithPublishableKey?: readonly string[];
  /**
   * The limit per visitor and key, for requests that anyone who opens a page can cause. With a secret key, they count
   * against this limit (by the body's `ip`) and a total of their own instead of the key's, and are not idempotent: nothing
   * of them is stored. Default: none.
   */
  readonly onBehalfOfVisitors?: Allowance;
  /** Whether a POST changes nothing, so that it is not idempotent: nothing of its response is stored. Default: false. */
  readonly onlyReads?: boolean;
  /** Returns how many requests a body contains, of which each counts against the key's limit. Default: one. */
  readonly requestsIn?: (body: unknown) => number;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Documented schema of a body that the handler validates itself, in place of `body`. */
  readonly bodyInDocs?: z.ZodType;
  /** Whether responses have an `ETag`, and a PUT requires it as `If-Match`. The handler sets the one and checks the other. */
  readonly versioned?: boolean;
  readonly response: ResponseSchema;
  /** Whether a read replica may serve it, with everything that was committed before the request. Only for GET. Default: false. */
  readonly readsReplica?: boolean;
  /** Whether responses to test keys contain `warnings`. Default: false. */
  readonly warns?: boolean;
  /** Limits for unusually large requests. Default: the limits of all requests. */
  readonly bulk?: BulkLimits;
  /** Errors besides those that every endpoint can return. */
  readonly errors?: readonly ErrorCode[];
  readonly deprecated?: Deprecation;
}

/** Returns whether an `Idempotency-Key` has an effect, with a secret key. */
export function isIdempotent({
  method,
  onBehalfOfVisitors,
  onlyReads = false,
}: Pick<Endpoint, 'method' | 'onBehalfOfVisitors' | 'onlyReads'>): boolean {
  return method === 'post' && !onBehalfOfVisitors && !onlyReads;
}

export interface BulkLimits {
  readonly bodyLimitBytes: number;
  readonly timeoutMs: number;
  /** Maximum number of concurrent requests in one process, which bounds memory use. */
  readonly concurrency: number;
  /** Shown in the error's detail. */
  readonly name: string;
}

/** Deprecation of an endpoint (RFC 9745). No `Sunset` header (RFC 8594), because no end date is set. */
export interface Deprecation {
  readonly since: Date;
  /** Path of the successor. It uses the same parameter names. */
  readonly successor: string;
}

export const tags = [
  'Evaluations',
  'Devices',
  'Users',
  'Challenges',
  'Lists',
  'Project',
  'Assistants',
  'Legacy',
] as const;
export type Tag = (typeof tags)[number];

/** An authenticated request, not validated yet. */
export interface ReceivedRequest {
  readonly service: Service;
  readonly metrics: Metrics;
  readonly caller: Caller;
  /** Client address, if the connection has one. */
  readonly address: Address | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** All values of each parameter. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Parsed JSON; `{}` if there is no body. */
  readonly body: unknown;
  /** Headers of the request. */
  readonly headers: Headers;
  /** Headers of the response, to which a handler can add. */
  readonly responseHeaders: Headers;
}

/** A validated request. */
export interface EndpointRequest<Params, Query, Body>
  extends Pick<ReceivedRequest, 'service' | 'metrics' | 'caller' | 'address' | 'headers' | 'responseHeaders'> {
  readonly params: Plain<Params>;
  readonly query: Plain<Query>;
  readonly body: Plain<Body>;
  /** Adds a warning about accepted input that is probably a mistake. `message` follows the field's name and quotes no value. */
  warn(path: string, message: string): void;
}

/**
 * Defines an API endpoint: its documentation, schemas and handler. The handler receives the parsed request and returns a
 * value of the response's schema, or an `OwnResponse`.
 */
export function endpoint<
  ResponseSchema extends z.ZodType,
  Params extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(
  options: EndpointOptions<Params, Query, Body, ResponseSchema>,
  handle: (
    request: EndpointRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<Plain<z.output<ResponseSchema>>>,
): Endpoint {
  const params = pathParserOf(options.params, options);
  const query = queryParserOf(options.query);
  const body = parserOf(options.body);
  return {
    ...options,
    async serve(received) {
      const { service, metrics, caller, address, headers, responseHeaders } = received;
      const warnings: RequestWarning[] = [];
      const response = await handle({
        service,
        metrics,
        caller,
        address,
        headers,
        responseHeaders,
        params: params(received.params),
        query: query(received.query),
        body: body(withoutIgnored(options, received)),
        warn: (path, message) => warnings.push({ path, message }),
      });
      if (!options.warns || caller.mode !== 'test') return response;
      const all = [...ignoredFields(options, received), ...unknownFields(options.body, received.body), ...warnings];
      return Object.assign({}, response, { warnings: boundedWarnings(all) });
    },
  };
}

type Ignoring = Pick<Endpoint, 'ignoredWithPublishableKey'>;

function ignoredFields({ ignoredWithPublishableKey: ignored = [] }: Ignoring, { caller, body }: ReceivedRequest) {
  if (caller.kind === 'secret' || !isRecord(body)) return [];
  const present = ignored.filter((name) => Object.hasOwn(body, name));
  return present.map((path) => ({ path, message: 'is ignored with a publishable key' }));
}

function withoutIgnored(
  { ignoredWithPublishableKey: ignored = [] }: Ignoring,
  { caller, body }: ReceivedRequest,
): unknown {
  if (caller.kind === 'secret' || !isRecord(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ignored.includes(name)));
}
