import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.js';

/** Where a person, an address or a secret could stand, should somebody log a whole object after all. */
const PERSONAL = [
  'authorization',
  'cookie',
  'email',
  'fingerprint',
  'ip',
  'last_fingerprint',
  'password',
  'phone',
  'proof',
  'secret',
  'token',
  'user',
];
/** PostgreSQL's data exceptions quote the value that was wrong. */
const QUOTES_VALUES = /^22/;
const DEEPEST_CAUSE = 5;
/** Lines are written together: a write of its own for each request takes a twentieth of a busy process's time. */
const TOGETHER_BYTES = 4096;
const LATEST_MS = 100;

/**
 * A log of JSON lines, each with time, level and what happened. Never personal data: what looks like it is censored,
 * and of errors only what says where they come from is written.
 *
 * @param destination Default: standard output, where a line comes after a tenth of a second at the latest. What is left
 *   is written when the process exits; one that is killed loses it.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ['code', ...PERSONAL.flatMap((name) => [name, `*.${name}`])], censor: '[redacted]' },
    serializers: { err: describeError, error: describeError },
  };
  const standardOutput = () =>
    pino.destination({ dest: 1, sync: false, minLength: TOGETHER_BYTES, periodicFlush: LATEST_MS });
  return pino(options, destination ?? standardOutput());
}

/** An error's name, message, code and stack, and those of its causes; nothing else that hangs on it. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const quotes = code !== undefined && QUOTES_VALUES.test(code);
  return {
    name: error.name,
    ...(code && { code }),
    ...(!quotes && { message: error.message }),
    // The stack begins with the message.
    stack: error.stack?.slice(error.stack.indexOf('\n    at ') + 1),
    ...constraintOf(error),
    ...(error.cause !== undefined && depth < DEEPEST_CAUSE && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** PostgreSQL names what was violated; the detail beside it quotes the row. */
function constraintOf(error: Error): { constraint?: string } {
  return 'constraint' in error && typeof error.constraint === 'string' ? { constraint: error.constraint } : {};
}
