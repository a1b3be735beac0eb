import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ErrorCode } from 'whorl/wire';
import type { DeviceWatch } from '../../devices/watch.js';
import type { Service } from '../../service.js';
import type { HttpEnv } from '../environment.js';
import type { Metrics } from '../metrics.js';
import type { AllowedOrigins } from '../origins.js';
import type { Allowance } from '../rate-limits.js';

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** What public routes are made from. */
export interface PublicParts {
  readonly service: Service;
  readonly metrics: Metrics;
  readonly document: OpenApiDocument;
  readonly origins: AllowedOrigins;
  readonly watch: DeviceWatch;
}

/** A route that takes no key, and has an answer of its own kind. */
export interface PublicRoute {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** The media type of its answer. */
  readonly contentType: string;
  /** Where the answer is JSON. */
  readonly answer?: z.ZodType;
  /** What it answers as JSON instead, where that is asked for. */
  readonly json?: z.ZodType;
  readonly params?: z.ZodObject;
  /** Whether it takes the token of a device, from pages of the allowed origins. Default: it is open to everyone. */
  readonly withDeviceToken?: boolean;
  readonly errors?: readonly ErrorCode[];
  /** How often one address may request it. Default: without a limit. */
  readonly allowance?: Allowance;
  /** Called once; what does not change is made there. */
  prepare(parts: PublicParts): (c: Context<HttpEnv>) => Response | Promise<Response>;
}
