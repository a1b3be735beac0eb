import type { IncomingMessage, ServerResponse } from 'node:http';

/** The cookies of a request, by name. */
export function readCookies({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

/** Sets a cookie that no script sees, for as long as the browser runs; null removes it. Values are base64url. */
export function setCookie(response: ServerResponse, name: string, value: string | null): void {
  const lifetime = value === null ? '; Max-Age=0' : '';
  response.appendHeader('Set-Cookie', `${name}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${lifetime}`);
}
