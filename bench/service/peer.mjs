// The peer that the service is compared with: one route in the same framework that checks the key and the body, and reads and
// writes the same number of single rows in one transaction. It has two forms: one statement per row, and all rows in
// two statements.
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { requireFromService } from './of-service.mjs';
import { reads, rowsOf, writes } from './peer-tables.mjs';

const { serve } = requireFromService('@hono/node-server');
const { Hono } = requireFromService('hono');
const pg = requireFromService('pg');
const { z } = requireFromService('zod');

const { PEER_DATABASE: connectionString, PEER_WORLD: worldId = '', PEER_KEY = '' } = process.env;
const expected = Buffer.from(`Bearer ${PEER_KEY}`);
/** The same number of connections as the service. */
const pool = new pg.Pool({ connectionString, max: 10 });

const optionalText = (/** @type {number} */ maxLength) => z.string().max(maxLength).optional();
const evaluateRequest = z.object({
  action: z.string().regex(/^[a-z0-9_]{1,64}$/),
  user: z.string().min(1).max(256),
  fingerprint: z.string().min(1).max(4096),
  last_fingerprint: optionalText(4096),
  version: optionalText(64),
  ip: z.ipv4().or(z.ipv6()).optional(),
  email: optionalText(320),
  phone: optionalText(64),
  user_agent: optionalText(2048),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/** @typedef {(client: pg.PoolClient, known: import('./peer-tables.mjs').Known) => Promise<unknown>} Form */

/** @type {Form} */
async function rowByRow(client, known) {
  for (const { name, text, values } of [...reads, ...writes]) {
    await client.query({ name, text, values: values(known) });
  }
}

const batches = { reads: combine(reads, toSubselect), writes: combine(writes, toWith) };

/** @type {Form} */
async function batched(client, known) {
  for (const [name, { text, values }] of Object.entries(batches)) {
    await client.query({ name, text, values: values(known) });
  }
}

const app = new Hono();
app.post('/rows', (c) => answer(c, rowByRow));
app.post('/batched', (c) => answer(c, batched));
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
process.on('SIGTERM', () => server.close(() => pool.end().then(() => process.exit())));

/** @param {import('hono').Context} c @param {Form} form */
async function answer(c, form) {
  const received = Buffer.from(c.req.header('authorization') ?? '');
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    return c.json({ code: 'unauthorized' }, 401);
  const { data: body, error } = evaluateRequest.safeParse(await c.req.json());
  if (error) return c.json({ code: 'invalid_request' }, 400);
  const known = rowsOf(worldId, body, randomUUID());
  await inTransaction((client) => form(client, known));
  const { identity, evaluation, device } = known;
  return c.json({
    verdict: 'allow',
    fingerprint_id: identity,
    reasons: [],
    evaluation_id: evaluation,
    confidence: 1,
    matched_by: 'exact',
    changed: [],
    device_id: device,
  });
}

/** @param {(client: pg.PoolClient) => Promise<unknown>} act */
async function inTransaction(act) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await act(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** @typedef {import('./peer-tables.mjs').Statement} Statement */

/** @param {readonly Statement[]} statements @param {(texts: string[]) => string} join */
function combine(statements, join) {
  let before = 0;
  const texts = statements.map(({ text }) => {
    const shift = before;
    const placeholders = new Set(text.match(/\$\d+/g));
    before += placeholders.size;
    return text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + shift}`);
  });
  const values = (/** @type {import('./peer-tables.mjs').Known} */ known) =>
    statements.flatMap((statement) => statement.values(known));
  return { text: join(texts), values };
}

/** @param {string[]} texts */
function toSubselect(texts) {
  return `select ${texts.map((text, at) => `(select row::text from (${text}) row) as row${at}`).join(', ')}`;
}

/** @param {string[]} texts */
function toWith(texts) {
  const parts = texts.map((text, at) => `write${at} as (${text} returning 1)`);
  return `with ${parts.join(', ')} select ${texts.map((_, at) => `(select count(*) from write${at})`).join(', ')}`;
}
