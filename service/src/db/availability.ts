/** The database could not be reached, or was too busy: the same request may succeed later. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnavailableError';
  }
}

/** Of Node, when the server is away or goes away. */
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
/**
 * PostgreSQL, appendix A: serialization failure, deadlock, a server that has become a replica, query cancelled (our
 * time-out), shut down by the administrator or after a crash, not ready yet, a disk that fails. Each passes.
 */
const passingStates = new Set(['40001', '40P01', '25006', '57014', '57P01', '57P02', '57P03', '58030']);
/** Errors of the connection, and of what there is too little of: disk, memory, connections. */
const passingClasses = ['08', '53'];
/** What the `pg` client gives no code, and what a migration does to statements that are prepared (0A000). */
const passingMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|cached plan must not/;

/** What a query threw, as a DatabaseUnavailableError where it will pass; all else as it is. */
export function nameUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || !passes(error)) return error;
  return new DatabaseUnavailableError('The database is not available', { cause: error });
}

function passes(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (passingMessages.test(error.message)) return true;
  // Several addresses of one host were tried: localhost, for one.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(passes);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return networkCodes.has(code) || passingStates.has(code) || passingClasses.includes(code.slice(0, 2));
}
