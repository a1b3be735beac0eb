import pg from 'pg';

/** Runs a statement on a connection of its own, and returns the first value of the result. */
export async function runSql(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
