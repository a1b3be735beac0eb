import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import {
  createApp,
  createLog,
  createMetrics,
  type DeviceWatch,
  type HttpConfig,
  type Service,
} from '../../src/testing.js';
import { patientMs } from './service.js';

/**
 * Longer than any test takes. Node's 5 s can end while the embedded database blocks this process, and the next request may
 * then use a connection that is just being closed.
 */
const KEEP_ALIVE_TIMEOUT_MS = 600_000;

export interface SecondApp {
  readonly url: string;
  /** Parsed log lines. */
  readonly lines: Record<string, unknown>[];
  /** Returns the raw log. */
  log(): string;
  close(): Promise<void>;
}

/** Opens a second HTTP server for a service on its own port, like another process. */
export async function openSecondApp(
  service: Service,
  config: Partial<HttpConfig> = {},
  watch?: DeviceWatch,
): Promise<SecondApp> {
  let text = '';
  const log = createLog('info', { write: (line) => (text += line) });
  const app = createApp({
    service: { ...service, log },
    config: { trustedProxies: ['127.0.0.1'], timeoutMs: patientMs, ...config },
    metrics: createMetrics(),
    ...(watch && { watch }),
  });
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS } });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get lines() {
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
    log: () => text,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
