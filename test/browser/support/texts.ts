import { createServer } from 'node:http';
import { until } from '../harness/until';

/** A provider of text messages that keeps what it is given, and a site to go back to. */
export interface TextProvider {
  /** For the service's environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** Where it is. Whoever goes there is told to be back. */
  readonly url: string;
  /** The newest code to a number, once there is one. */
  code(to: string): Promise<string>;
  close(): Promise<void>;
}

export async function startTextProvider(): Promise<TextProvider> {
  const texts: { to: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return response.setHeader('Content-Type', 'text/html').end('<p>You are back');
    let body = '';
    for await (const chunk of request) body += chunk;
    texts.push(JSON.parse(body));
    return response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  return {
    url,
    environment: { TEXT_URL: url, TEXT_TOKEN: 'token' },
    code: (to) =>
      until(`A code to ${to}`, () => {
        const text = texts.findLast((each) => each.to === to)?.body ?? '';
        return /\d{6}/.exec(text)?.[0];
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
