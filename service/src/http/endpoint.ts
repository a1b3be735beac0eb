import type { z } from '@hono/zod-openapi';
import type { ErrorCode, RequestWarning } from 'whorl/wire';
import type { Address } from '../addresses/addresses.js';
import type { Caller, Service } from '../service.js';
import type { Metrics } from './metrics.js';
import { parserOf, pathParserOf } from './parse.js';
import type { Plain } from './schemas/wire-schema.js';
import { boundedWarnings, unknownFields } from './warnings.js';

/** What an endpoint may be documented and served by; without its types, so that all fit into one table. */
export interface Endpoint extends EndpointOptions<z.ZodType, z.ZodType, z.ZodType, z.ZodType> {
  /** Validates what came, and does what the endpoint is for. */
  serve(request: ReceivedRequest): Promise<unknown>;
}

export interface EndpointOptions<Params, Query, Body, Answer> {
  readonly method: 'get' | 'post';
  /** As OpenAPI writes it: `/v2/challenges/{id}`. */
  readonly path: string;
  /** Its name in the OpenAPI document. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** The keys that may call it. A publishable one may from the project's allowed origins. Default: secret keys alone. */
  readonly keys?: 'secret' | 'any';
  /** Whether it creates what its path names where that does not exist. Default: that is 404 `not_found`. */
  readonly createsMissing?: boolean;
  /** Fields of the body that count for nothing with a publishable key: they are dropped before the body is validated. */
  readonly ignoredWithPublishableKey?: readonly string[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer;
  /** Whether answers to test keys carry `warnings`. Default: false. */
  readonly warns?: boolean;
  /** For requests that are much larger than others. Default: the limits of all requests. */
  readonly bulk?: BulkLimits;
  /** What can go wrong, beyond what can everywhere. */
  readonly errors?: readonly ErrorCode[];
  readonly deprecated?: Deprecation;
}

export interface BulkLimits {
  readonly bodyLimitBytes: number;
  readonly timeoutMs: number;
  /** How many such requests one process works on at once, so that what they hold in memory is bounded. */
  readonly atOnce: number;
  /** For the detail of a refusal. */
  readonly name: string;
}

/** That an endpoint has a better successor (RFC 9745, RFC 8594 is for when there is an end in sight). */
export interface Deprecation {
  readonly since: Date;
  /** The path of the successor, with the names of the own path's parameters. */
  readonly successor: string;
}

export const tags = ['Evaluations', 'Devices', 'Users', 'Challenges', 'Legacy'] as const;
export type Tag = (typeof tags)[number];

/** A request whose sender is known, with nothing of what it says checked. */
export interface ReceivedRequest {
  readonly service: Service;
  readonly metrics: Metrics;
  readonly caller: Caller;
  /** The client's address, where the connection has one. */
  readonly address: Address | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON; `{}` where there was none. */
  readonly body: unknown;
}

/** A request that was checked. */
export interface EndpointRequest<Params, Query, Body>
  extends Pick<ReceivedRequest, 'service' | 'metrics' | 'caller' | 'address'> {
  readonly params: Plain<Params>;
  readonly query: Plain<Query>;
  readonly body: Plain<Body>;
  /** Notes what is accepted and is probably a mistake. The message follows the field's name, and quotes no value. */
  warn(path: string, message: string): void;
}

/**
 * One route of the API: how it is documented, what it takes, and what it does. Its handler gets what the schemas made
 * of the request, and answers what the schema of the answer says.
 */
export function endpoint<
  Answer extends z.ZodType,
  Params extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(
  options: EndpointOptions<Params, Query, Body, Answer>,
  handle: (
    request: EndpointRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<Plain<z.output<Answer>>>,
): Endpoint {
  const params = pathParserOf(options.params, options);
  const query = parserOf(options.query);
  const body = parserOf(options.body);
  return {
    ...options,
    async serve(received) {
      const { service, metrics, caller, address } = received;
      const warnings: RequestWarning[] = [];
      const answer = await handle({
        ...{ service, metrics, caller, address },
        params: params(received.params),
        query: query(received.query),
        body: body(withoutIgnored(options, received)),
        warn: (path, message) => warnings.push({ path, message }),
      });
      if (!options.warns || caller.mode !== 'test') return answer;
      const all = [...ignoredFields(options, received), ...unknownFields(options.body, received.body), ...warnings];
      return Object.assign({}, answer, { warnings: boundedWarnings(all) });
    },
  };
}

type Ignoring = Pick<Endpoint, 'ignoredWithPublishableKey'>;

function ignoredFields({ ignoredWithPublishableKey: ignored = [] }: Ignoring, { caller, body }: ReceivedRequest) {
  if (caller.kind === 'secret' || !isJsonObject(body)) return [];
  const given = ignored.filter((name) => Object.hasOwn(body, name));
  return given.map((path) => ({ path, message: 'is ignored with a publishable key' }));
}

function withoutIgnored(
  { ignoredWithPublishableKey: ignored = [] }: Ignoring,
  { caller, body }: ReceivedRequest,
): unknown {
  if (caller.kind === 'secret' || !isJsonObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ignored.includes(name)));
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
