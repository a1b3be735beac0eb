import { createServer } from 'node:http';
import { until } from '../harness/until';

/** Provider of text messages that records them, and a site to return to. */
export interface TextProvider {
  /** Environment variables for the service. */
  readonly environment: NodeJS.ProcessEnv;
  /** URL of the site. Its page says that the user is back. */
  readonly url: string;
  /** Returns the newest code sent to a number, once there is one. */
  code(to: string): Promise<string>;
  /** Returns the number of messages that were sent to a number. */
  count(to: string): number;
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
    count: (to) => texts.filter((each) => each.to === to).length,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
