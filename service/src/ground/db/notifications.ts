import pg from 'pg';

/** Callbacks for notifications on a channel of the database. */
export interface Listener {
  /** Called for each notification sent since listening started, after its transaction has committed. */
  onMessage(text: string): void;
  /** Called when the connection is closed: no more notifications follow. */
  onEnd(): void;
}

/** Stops listening. */
export type StopListening = () => Promise<void>;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Listens for notifications on a channel of PostgreSQL, on a separate connection. Does not work behind a pooler that
 * assigns connections per transaction.
 */
export async function listenOnPostgresql(url: string, channel: string, listener: Listener): Promise<StopListening> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'whorl',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without an error listener, a broken connection would end the process; `end` follows.
  client.on('error', () => undefined);
  client.once('end', () => listener.onEnd());
  client.on('notification', ({ payload = '' }) => listener.onMessage(payload));
  const stop = () => client.end();
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    return stop;
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}
