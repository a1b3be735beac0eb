import type { Service } from '../service.js';
import type { Metrics } from './metrics.js';
import type { AllowedOrigins } from './origins.js';
import type { RateLimits } from './rate-limits.js';

/** What the HTTP layer is told by the operator. */
export interface HttpConfig {
  /** Addresses and ranges of the proxies whose word on the client's address counts. */
  readonly trustedProxies: readonly string[];
  readonly timeoutMs: number;
  readonly bodyLimitBytes: number;
}

/** What the parts of the HTTP layer tell each other of one request. */
export interface HttpEnv {
  Variables: {
    requestId: string;
    /** The pattern of the path; absent where nothing is there. */
    route?: string;
    /** Once the caller is known. */
    projectId?: string;
  };
}

/** What all endpoints are served with. */
export interface AppContext {
  readonly service: Service;
  readonly config: HttpConfig;
  readonly metrics: Metrics;
  readonly limits: RateLimits;
  readonly origins: AllowedOrigins;
}
