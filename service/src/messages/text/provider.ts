import { type DeliveryFailure, DeliveryUnavailable } from '../errors.js';

/** Hands text messages over to whoever carries them. */
export interface TextProvider {
  /**
   * @param to A phone number in E.164.
   * @throws DeliveryUnavailable, and nothing else.
   */
  send(to: string, body: string): Promise<void>;
}

export interface PostRequest {
  readonly headers: Record<string, string>;
  readonly body: string | URLSearchParams;
  readonly timeoutMs: number;
}

/**
 * Posts, and gives the status and body of whatever is answered. Redirects are not followed: they would take the
 * message and the credentials elsewhere.
 */
export async function post(
  url: string,
  { headers, body, timeoutMs }: PostRequest,
): Promise<{ status: number; answer: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    return { status: response.status, answer: await response.text() };
  } catch {
    throw new DeliveryUnavailable('text', signal.aborted ? 'timeout' : 'unreachable');
  }
}

/** What a status other than 2xx means. */
export function failureOf(status: number): DeliveryFailure {
  if (status === 401 || status === 403) return 'credentials';
  return status === 429 || status >= 500 ? 'busy' : 'refused';
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
