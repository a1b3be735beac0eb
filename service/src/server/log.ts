import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.js';

/** Fields that may contain personal data or secrets, redacted in case a whole object is logged. */
const REDACTED_FIELDS = [
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
/** PostgreSQL's data exceptions quote the invalid value. */
const quotingCodes = /^22/;
const MAX_CAUSE_DEPTH = 5;
/** Lines are written in batches: one write per request takes a twentieth of a busy process's time. */
const BATCH_BYTES = 4096;
const MAX_DELAY_MS = 100;
/** Lines that wait while nothing can be written, for example because the disk is full. Further ones are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Creates a log of JSON lines with time, level and message. It never contains personal data: fields that may are
 * redacted, and of errors only name, message, code and stack are logged.
 *
 * @param destination Default: standard output. Lines appear after at most 100 ms. The remaining lines are written
 *   when the process exits, but lost if it is killed. If they cannot be written, the process continues.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ['code', ...REDACTED_FIELDS.flatMap((name) => [name, `*.${name}`])], censor: '[redacted]' },
    serializers: { err: describeError, error: describeError },
  };
  return pino(options, destination ?? (level === 'silent' ? nowhere : standardOutput()));
}

const nowhere: DestinationStream = { write: () => undefined };

function standardOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: BATCH_BYTES,
    periodicFlush: MAX_DELAY_MS,
    maxLength: MAX_WAITING_BYTES,
  });
  let isFailing = false;
  // Without this listener, an error would end the process.
  output.on('error', () => {
    isFailing = true;
  });
  output.on('write', () => {
    isFailing = false;
  });
  // At the exit, the remaining lines are written. This is repeated until it succeeds, so a full disk would prevent the exit.
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    if (!isFailing) flushSync();
  };
  return output;
}

/** Returns the name, message, code and stack of an error and of its causes, without other properties. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const quotes = code !== undefined && quotingCodes.test(code);
  return {
    name: error.name,
    ...(code && { code }),
    ...(!quotes && { message: error.message }),
    // The stack starts with the message, which may be withheld.
    stack: error.stack?.slice(error.stack.indexOf('\n    at ') + 1),
    ...constraintOf(error),
    ...(error.cause !== undefined && depth < MAX_CAUSE_DEPTH && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** The name of the violated constraint is safe; PostgreSQL's `detail` quotes the row. */
function constraintOf(error: Error): { constraint?: string } {
  return 'constraint' in error && typeof error.constraint === 'string' ? { constraint: error.constraint } : {};
}
