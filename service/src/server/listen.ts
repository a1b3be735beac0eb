import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { lazy } from '../ground/lazy.js';
import { OperatorError } from '../ground/operator-error.js';
import type { createApp } from './app.js';
import type { Config } from './config.js';

/** A request that has not arrived completely by then is dropped. Requests themselves time out earlier (10 s). */
const REQUEST_TIMEOUT_MS = 20_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than the usual 60 s of load balancers, so that they close connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const TIMEOUT_CHECK_MS = 2_000;
const MAX_HEADERS_BYTES = 16 * 1024;
const SHUTDOWN_LIMIT_MS = 10_000;
const IDLE_CHECK_MS = 50;
/** Browsers open connections in advance that may never be used. Node does not treat these as idle. */
const UNUSED_LIMIT_MS = 500;

type App = ReturnType<typeof createApp>;

export interface Listener {
  readonly url: string;
  /** Asks clients to close their connections after the pending or next response. New connections are still accepted. */
  announceClose(): void;
  /** Stops accepting connections and waits for pending responses, at most 10 seconds. */
  close(): Promise<void>;
}

/**
 * Serves an application over HTTP.
 *
 * @throws OperatorError if the port or the host cannot be used.
 */
export async function listen(
  app: Pick<App, 'fetch'>,
  { host, port }: Pick<Config, 'host' | 'port'>,
  log: Logger,
): Promise<Listener> {
  const limits = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
  };
  // Health checks of HTTP/1.0, such as HAProxy's, have no Host header.
  const server = createServer(limits, getRequestListener(app.fetch, { hostname: 'localhost' }));
  const pendingResponses = watchResponses(server);
  const connections = watchConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, { host, port })));
    server.listen(port, host, resolve);
  });
  const announceClose = lazy(() => {
    for (const response of pendingResponses) closeAfter(response);
    server.prependListener('request', (_request, response) => closeAfter(response));
  });
  return {
    url: urlOf(server),
    announceClose,
    close() {
      announceClose();
      return closeServer(server, connections, log);
    },
  };
}

/** Returns an OperatorError for errors that the operator can fix, and other errors unchanged. */
function explain(error: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>): Error {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use: stop the program that uses it, or set PORT to another one.`,
    EACCES: `Port ${port} is not permitted for this user: set PORT to 1024 or above, or give the process permission to use it.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one of its addresses, or to 0.0.0.0 for all.`,
    ENOTFOUND: `HOST is not an address of this machine: set it to one such as 127.0.0.1, or to 0.0.0.0 for all.`,
  };
  const problem = problems[error.code === 'EAI_AGAIN' ? 'ENOTFOUND' : (error.code ?? '')];
  return problem === undefined ? error : new OperatorError(problem, { cause: error });
}

/** Closes idle connections, and the others once they have their response. */
async function closeServer(server: Server, connections: ReadonlySet<Socket>, log: Logger): Promise<void> {
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  // Runs after data that has already arrived is read, even if the process was blocked for longer.
  const unusedTimer = setTimeout(() => setImmediate(closeUnused, connections), UNUSED_LIMIT_MS);
  const limit = setTimeout(() => {
    log.warn(`Requests still pending ${SHUTDOWN_LIMIT_MS} ms after shutdown started: closing their connections`);
    server.closeAllConnections();
  }, SHUTDOWN_LIMIT_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idleCheck);
  clearTimeout(unusedTimer);
  clearTimeout(limit);
}

function closeUnused(connections: ReadonlySet<Socket>): void {
  for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Returns the set of pending responses, which is kept up to date. */
function watchResponses(server: Server): ReadonlySet<ServerResponse> {
  const pendingResponses = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    pendingResponses.add(response);
    response.once('close', () => pendingResponses.delete(response));
  });
  return pendingResponses;
}

function watchConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  return connections;
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const host = ['0.0.0.0', '::'].includes(address) ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
