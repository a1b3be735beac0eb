import type { Exchange } from '../../server/api.js';

const TOKEN_LENGTH = 16;

/**
 * Reports the requests of the page to the service, without changing them. The demo's server cannot
 * see these requests.
 *
 * @returns A function that restores `fetch`.
 */
export function watchService(baseUrl: string, onExchange: (exchange: Exchange) => void): () => void {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    if (url.origin !== new URL(baseUrl).origin) return fetch(input, init);
    const { method = 'GET', body } = init ?? {};
    const exchange: Exchange = {
      id: `${Math.random()}`,
      from: 'page',
      to: 'service',
      method,
      path: url.pathname,
      request: typeof body === 'string' ? JSON.parse(body) : undefined,
    };
    const started = performance.now();
    const report = (more: Pick<Exchange, 'status' | 'answer'>) =>
      onExchange({ ...exchange, ...more, durationMs: Math.round(performance.now() - started) });
    onExchange(exchange);
    try {
      const response = await fetch(input, init);
      // A response that is not JSON may be a stream without an end.
      const isJson = /[/+]json\b/.test(response.headers.get('Content-Type') ?? '');
      const answer: unknown = isJson
        ? await response
            .clone()
            .json()
            .catch(() => undefined)
        : undefined;
      report({ status: response.status, answer: withShortToken(answer) });
      return response;
    } catch (error) {
      report({ status: 0 });
      throw error;
    }
  };
  return () => {
    window.fetch = fetch;
  };
}

function withShortToken(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('token' in answer)) return answer;
  const { token } = answer;
  return typeof token === 'string'
    ? { ...answer, token: `${token.slice(0, TOKEN_LENGTH)}… (${token.length} characters)` }
    : answer;
}
