import { codeOf } from '../error-code.js';
import { OperatorError } from '../operator-error.js';
import { DatabaseUnavailableError, poolerMessage, readOnlyState } from './availability.js';

/** Reasons why PostgreSQL cannot be used, by error code (PostgreSQL, appendix A; Node's TLS). */
const problems: Readonly<Record<string, string>> = {
  [readOnlyState]: 'is read-only: set DATABASE_URL to the primary, or switch default_transaction_read_only off',
  '28P01': 'refuses the user or the password: correct DATABASE_URL. Percent-encode characters such as @ and / in it',
  '28000': 'refuses this user or connection: correct DATABASE_URL, or pg_hba.conf on the server',
  '3D000': 'has no database of this name: create it, or correct DATABASE_URL',
  '53100': 'has a full disk: free some space',
  '53300': 'has no free connection: lower DATABASE_POOL_SIZE, or raise max_connections there',
  '57014': 'cancelled a statement that took too long: try again when it is less busy',
  '42501': 'does not let this user create tables: grant it CREATE on the database and on the schema public',
};
const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Returns an OperatorError that says why PostgreSQL cannot be used. It names the server but neither the user nor the
 * password. Errors that the operator cannot fix are returned unchanged.
 */
export function explainPostgresql(url: string, error: unknown): unknown {
  const problem = problemOf(error);
  return problem === undefined
    ? error
    : new OperatorError(`PostgreSQL at ${hostOf(url)} ${problem}.`, { cause: error });
}

function problemOf(error: unknown): string | undefined {
  const code = codeOf(error) ?? '';
  if (Object.hasOwn(problems, code)) return `${problems[code]} (${code})`;
  if (certificateCodes.has(code)) {
    return `has a certificate that is not trusted: add sslrootcert=… to DATABASE_URL, or correct its host name (${code})`;
  }
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith(poolerMessage)) return 'is a pooler: set DATABASE_POOLER=true, and DATABASE_DIRECT_URL';
  if (message.startsWith('SASL')) return 'asks for a password, and DATABASE_URL has none or an empty one';
  if (message.includes('does not support SSL'))
    return 'does not support TLS: remove sslmode from DATABASE_URL, or enable it there';
  if (!(error instanceof DatabaseUnavailableError)) return undefined;
  return `cannot be reached: start it, or correct DATABASE_URL${code && ` (${code})`}`;
}

function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  // The host may be a percent-encoded path to a socket.
  return hostname === '' || /^%2f/i.test(hostname) ? 'its socket' : `${hostname}:${port || 5432}`;
}
