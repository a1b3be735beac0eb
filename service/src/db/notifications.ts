import pg from 'pg';

/** What a channel of the database is listened to with. */
export interface Listener {
  /** Of what was told since listening began, once its transaction was committed. */
  onMessage(text: string): void;
  /** The connection broke: nothing comes any more. */
  onEnd(): void;
}

/** Ends the listening. */
export type StopListening = () => Promise<void>;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Listens to a channel of PostgreSQL, on a connection of its own. Not for use behind a pooler that gives out connections
 * by transaction, where nothing would come.
 */
export async function listenOnPostgresql(url: string, channel: string, listener: Listener): Promise<StopListening> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'whorl',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without a listener, a connection that breaks would end the process; `end` follows.
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
