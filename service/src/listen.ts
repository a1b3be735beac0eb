import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import type { createApp } from './app.js';
import type { Config } from './config.js';
import { OperatorError } from './operator-error.js';

/** A request has arrived whole by then, or its connection ends; what answers it gives up earlier (10 s). */
const REQUEST_TIMEOUT_MS = 20_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Over the usual 60 s of load balancers, so that they are the ones who close. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const TIMEOUT_CHECK_MS = 2_000;
const LARGEST_HEADERS_BYTES = 16 * 1024;
const SHUTDOWN_LIMIT_MS = 10_000;
const IDLE_CHECK_MS = 50;
/** Browsers and others open connections in advance, on which nothing may ever come: Node does not take them for idle. */
const SILENCE_LIMIT_MS = 500;

type App = ReturnType<typeof createApp>;

export interface Listener {
  readonly url: string;
  /** Takes no more connections, and waits for the answers that are due, 10 seconds at most. */
  close(): Promise<void>;
}

/**
 * Serves an application over HTTP.
 *
 * @throws OperatorError where the port or the address cannot be used.
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
    maxHeaderSize: LARGEST_HEADERS_BYTES,
  };
  const server = createServer(limits, getRequestListener(app.fetch));
  const unanswered = watchAnswers(server);
  const connections = watchConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, { host, port })));
    server.listen(port, host, resolve);
  });
  return { url: urlOf(server), close: () => closeServer(server, { unanswered, connections }, log) };
}

/** Returns what keeps a server from listening, in a sentence where the operator can change it. */
function explain(error: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>): Error {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use: stop the program that uses it, or set PORT to another one.`,
    EACCES: `Port ${port} is not permitted for this user: set PORT to 1024 or above, or give the process the right to use it.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one that it has, or to 0.0.0.0 for all.`,
    ENOTFOUND: `HOST names no address of this machine: set it to one such as 127.0.0.1, or to 0.0.0.0 for all.`,
  };
  const problem = problems[error.code === 'EAI_AGAIN' ? 'ENOTFOUND' : (error.code ?? '')];
  return problem === undefined ? error : new OperatorError(problem, { cause: error });
}

interface Watched {
  readonly unanswered: ReadonlySet<ServerResponse>;
  readonly connections: ReadonlySet<Socket>;
}

/** Whoever keeps a connection open is told to close it after the answer that is due. */
async function closeServer(server: Server, { unanswered, connections }: Watched, log: Logger): Promise<void> {
  for (const response of unanswered) announceClose(response);
  server.prependListener('request', (_request, response) => announceClose(response));
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  // After what has arrived meanwhile was read, however long this process was kept from it.
  const silence = setTimeout(() => setImmediate(closeSilent, connections), SILENCE_LIMIT_MS);
  const limit = setTimeout(() => {
    log.warn(`Requests were still unanswered ${SHUTDOWN_LIMIT_MS} ms after the shutdown began: closing them`);
    server.closeAllConnections();
  }, SHUTDOWN_LIMIT_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idleCheck);
  clearTimeout(silence);
  clearTimeout(limit);
}

function closeSilent(connections: ReadonlySet<Socket>): void {
  for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** The answers that are still to be given, at any time. */
function watchAnswers(server: Server): ReadonlySet<ServerResponse> {
  const unanswered = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
  });
  return unanswered;
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
