import { codeOf } from '../error-code.js';

/** The database was unreachable or too busy. The same request may succeed later. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnavailableError';
  }
}

/** Node's codes for a server that is unreachable or closes the connection. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
]);
/** "Read-only transaction": the server is a standby, or accepts no changes for another reason. */
export const readOnlyState = '25006';
/**
 * Temporary errors (PostgreSQL, appendix A): serialization failure, deadlock, a server that became a replica, cancelled
 * query (our time-out), shutdown by the administrator or after a crash, server starting up, disk I/O error.
 */
const temporaryStates = new Set(['40001', '40P01', readOnlyState, '57014', '57P01', '57P02', '57P03', '58030']);
/** Connection errors and insufficient resources: disk, memory, connections. */
const temporaryClasses = ['08', '53'];
/** Errors for which the `pg` client sets no code, and the error of prepared statements after a migration (0A000). */
const temporaryMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|cached plan must not/;

/** Returns a temporary error of a query as a DatabaseUnavailableError, and any other error unchanged. */
export function nameUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || !isTemporary(error)) return error;
  return new DatabaseUnavailableError('Database unreachable', { cause: error });
}

/** Returns whether a statement waited for a table until its lock timeout ("lock not available"). */
export function isTableInUse(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Error of a pooler, to which the service would otherwise connect as to PostgreSQL. */
export const poolerMessage = 'unsupported startup parameter';

function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error) || error.message.startsWith(poolerMessage)) return false;
  if (temporaryMessages.test(error.message)) return true;
  // Several addresses of one host were tried, for example of localhost.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isTemporary);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return networkCodes.has(code) || temporaryStates.has(code) || temporaryClasses.includes(code.slice(0, 2));
}
