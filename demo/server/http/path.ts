import type { IncomingMessage } from 'node:http';

/** What is asked for, without the query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '/';
}
