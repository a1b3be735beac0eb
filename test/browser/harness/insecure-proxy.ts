import { createServer, request } from 'node:http';
import { INSECURE_HOST } from './server';

export interface InsecureProxy {
  url: string;
  close(): Promise<void>;
}

/**
 * WebKit cannot map host names, but can use a proxy. This one resolves the insecure host to 127.0.0.1, and no other.
 * (http://0.0.0.0 needs no name, but there WebKit's localStorage never returns.)
 */
export async function startInsecureProxy(): Promise<InsecureProxy> {
  const server = createServer((incoming, outgoing) => {
    const target = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined;
    if (target?.hostname !== INSECURE_HOST) {
      outgoing.writeHead(502).end('The tests reach no other host');
      return;
    }
    const { method, headers } = incoming;
    const path = target.pathname + target.search;
    const forwarded = request({ host: '127.0.0.1', port: target.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => outgoing.writeHead(502).end(String(error)));
    incoming.pipe(forwarded);
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address && typeof address === 'object') resolve(address.port);
      else reject(new Error('The proxy got no port'));
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
