/**
 * @typedef {object} Findings
 * @property {number} lost Writes with a 2xx response that are not in the database.
 * @property {number} doubleChallenges Combinations of user, action and network that got a second challenge while the
 *   first was open, and challenges announced more than once.
 * @property {number} renewed Combinations that got a second challenge after the first had expired, by the clocks in use.
 * @property {number} doubleCompletions Challenges whose completion was announced more than once.
 * @property {number} repeated Requests with an idempotency key that were sent again.
 * @property {number} changedResponses Repeated requests that got a different response.
 */

/** @typedef {(statement: string, values?: unknown[]) => Promise<any[]>} Read */

/** Time limit for all repeated requests. Later responses count as different. */
const repeatTimeoutMs = 300_000;

/** @param {readonly import('./ledger.mjs').Done[]} done */
const evaluationsOf = (done) =>
  done.filter(({ path }) => path.endsWith('/evaluate')).map(({ text }) => JSON.parse(text));

/**
 * Compares the database with the responses.
 *
 * @param {Read} read
 * @param {import('./ledger.mjs').Ledger} ledger
 * @returns {Promise<Pick<Findings, 'lost' | 'renewed' | 'doubleChallenges' | 'doubleCompletions'>>}
 */
export async function readBack(read, { done }) {
  const evaluations = evaluationsOf(done);
  const completed = done.flatMap(({ path }) => /\/challenges\/([^/]+)\/complete/.exec(path)?.[1] ?? []);
  const challenges = evaluations.flatMap(({ challenge_id }) => challenge_id ?? []);
  const lost = [
    ...(await missing(
      read,
      'evaluations',
      'true',
      evaluations.map(({ evaluation_id }) => evaluation_id),
    )),
    ...(await missing(read, 'challenges', 'true', challenges)),
    ...(await missing(read, 'challenges', `status = 'completed' and completed_at is not null`, completed)),
    ...(await missing(
      read,
      'devices',
      `trusted and (status = 'attached' or auto_detached)`,
      await devicesOf(read, completed),
    )),
  ];
  // A new challenge while the previous one was open, by the clock of the process that created it.
  const overlapping = await read(
    `select distinct b.world_id, b.external_user, b.action, b.network from challenges a join challenges b on b.world_id = a.world_id and b.external_user = a.external_user
       and b.action = a.action and b.network = a.network and b.id <> a.id
     where b.created_at >= a.created_at and b.created_at < least(a.expires_at, coalesce(a.completed_at, a.expires_at))`,
  );
  const several = await read(
    'select external_user from challenges group by world_id, external_user, action, network having count(*) > 1',
  );
  return {
    lost: lost.length,
    renewed: several.length - overlapping.length,
    doubleChallenges: overlapping.length + (await announcedTwice(read, 'challenge.initiated')),
    doubleCompletions: await announcedTwice(read, 'challenge.completed'),
  };
}

/** @param {Read} read @param {string} table @param {string} condition @param {readonly string[]} ids */
async function missing(read, table, condition, ids) {
  const rows = await read(`select id from ${table} where id = any($1::uuid[]) and ${condition}`, [ids]);
  const existing = new Set(rows.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => !existing.has(id));
}

/** @param {Read} read @param {readonly string[]} challenges @returns {Promise<string[]>} */
async function devicesOf(read, challenges) {
  const rows = await read('select device_id from challenges where id = any($1::uuid[])', [challenges]);
  return rows.map(({ device_id }) => device_id);
}

/** @param {Read} read @param {string} type */
async function announcedTwice(read, type) {
  const rows = await read(
    `select data->'challenge'->>'_id' as id from events where type = $1 group by 1 having count(*) > 1`,
    [type],
  );
  return rows.length;
}

/**
 * Repeats all requests with an idempotency key, on any process.
 *
 * @param {{ urls: readonly string[], key: string }} target
 * @param {import('./ledger.mjs').Ledger} ledger
 * @returns {Promise<Pick<Findings, 'repeated' | 'changedResponses'>>}
 */
export async function repeatRequests({ urls, key }, { done }) {
  const keyed = done.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  const signal = AbortSignal.timeout(repeatTimeoutMs);
  let changedResponses = 0;
  for (const [index, { path, body, idempotencyKey, text }] of keyed.entries()) {
    const request = {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': String(idempotencyKey),
      },
      body: JSON.stringify(body),
      signal,
    };
    const again = await fetch(urls[index % urls.length] + path, request).then(textOf, () => undefined);
    if (again !== text) changedResponses += 1;
  }
  return { repeated: keyed.length, changedResponses };
}

/**
 * @param {Response} answer @returns {Promise<string | undefined>} Undefined if it is not a success or is incomplete.
 */
async function textOf(answer) {
  const text = await answer.text().catch(() => undefined);
  return answer.ok ? text : undefined;
}

/**
 * Returns the time until each process again responded to a new request.
 *
 * @param {readonly string[]} urls
 * @param {import('./ledger.mjs').Ledger} ledger
 * @param {number} since On the clock of `performance.now()`.
 * @returns {number | undefined} Milliseconds, or undefined if a process did not respond.
 */
export function recoveryMs(urls, { done }, since) {
  const firsts = urls.map((url) => done.find((each) => each.url === url && each.sentAt >= since)?.at);
  return firsts.includes(undefined) ? undefined : Math.max(...firsts.map((at) => (at ?? 0) - since));
}

/**
 * Returns the longest time without a 2xx response, from a time until the last response.
 *
 * @param {import('./ledger.mjs').Ledger} ledger
 * @param {number} since On the clock of `performance.now()`.
 */
export function longestPauseMs({ done }, since) {
  const times = done.map(({ at }) => at).filter((at) => at >= since);
  return Math.max(0, ...times.map((at, index) => at - (times[index - 1] ?? since)));
}
