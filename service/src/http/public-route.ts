import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ErrorCode } from 'whorl/wire';
import type { DeviceWatch } from '../resources/devices/watch.js';
import type { Service } from '../resources/service.js';
import type { HttpEnv } from './environment.js';
import type { Metrics } from './metrics.js';
import type { AllowedOrigins } from './origins.js';
import type { Allowance } from './rate-limits.js';

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** Dependencies of public routes. */
export interface PublicParts {
  readonly service: Service;
  readonly metrics: Metrics;
  /** Generates the document at the first call, which takes too long for every start of the service. */
  readonly document: () => OpenApiDocument;
  readonly origins: AllowedOrigins;
  readonly watch: DeviceWatch;
  /** Aborted once the process is about to stop. */
  readonly stopping: AbortSignal;
}

/** Route without API key authentication, and with any type of response. */
export interface PublicRoute {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Media type of the response. */
  readonly contentType: string;
  /** Schema of a JSON response. */
  readonly response?: z.ZodType;
  /** Schema of the JSON response that clients can request instead. */
  readonly json?: z.ZodType;
  readonly params?: z.ZodObject;
  /** Whether it requires a device token, sent from an allowed origin. Default: false. */
  readonly withDeviceToken?: boolean;
  readonly errors?: readonly ErrorCode[];
  /** Rate limit per address. Default: none. */
  readonly allowance?: Allowance;
  /** Creates the handler. Called once, so that constant values are computed only once. */
  prepare(parts: PublicParts): (c: Context<HttpEnv>) => Response | Promise<Response>;
}
