import type { HttpBindings } from '@hono/node-server';
import type { Service } from '../resources/service.js';
import type { Metrics } from './metrics.js';
import type { AllowedOrigins } from './origins.js';
import type { RateLimits } from './rate-limits.js';

/** Operator's configuration of the HTTP layer. */
export interface HttpConfig {
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly timeoutMs: number;
  readonly bodyLimitBytes: number;
}

/** Node's objects of a request, and variables that the HTTP layer shares. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Path pattern; absent if no route matches. */
    route?: string;
    /** Set after authentication. */
    projectId?: string;
  };
}

/** Dependencies of all endpoints. */
export interface AppContext {
  readonly service: Service;
  readonly config: HttpConfig;
  readonly metrics: Metrics;
  readonly limits: RateLimits;
  readonly origins: AllowedOrigins;
}
