import { createServer } from 'node:http';

/**
 * Makes a server listen on a free port, for this machine only.
 *
 * @param {import('node:http').Server} server
 * @returns {Promise<{ port: number, close: () => Promise<void> }>} `close` aborts open requests.
 */
export async function listen(server) {
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a port of this machine that nothing listens on. */
export async function freePort() {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}
