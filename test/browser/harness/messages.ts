import type { ConsoleMessage } from './types';

/** The engines' names of console methods, as one set. */
export function toKind(name: string): ConsoleMessage['kind'] {
  switch (name.toLowerCase()) {
    case 'info':
      return 'info';
    case 'warn':
    case 'warning':
      return 'warning';
    case 'error':
    case 'assert':
      return 'error';
    case 'debug':
    case 'verbose':
      return 'debug';
    default:
      return 'log';
  }
}
