import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Citus, isCitusInstalled, SHARDS, startCitus } from '../support/citus.js';
import { customerOf, home, laptop, origin, phone } from '../support/customer.js';
import { environmentFor, runProcess } from '../support/process.js';
import { startService, type TestService } from '../support/service.js';
import { onStatement, type RecordedStatement } from '../support/statements.js';

const NAME = 'shop';

describe.skipIf(!isCitusInstalled())('a database that is distributed by Citus', () => {
  let citus: Citus;
  let service: TestService;
  beforeAll(async () => {
    citus = await startCitus();
    await citus.createDatabase(NAME);
    const options = { kind: 'postgresql', url: citus.url(NAME) } as const;
    service = await startService({ database: 'postgresql', on: { options, drop: () => Promise.resolve() } });
    const command = ['distribute', '--shards', String(SHARDS)];
    expect(await runProcess(command, environmentFor(options))).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await service.close();
    await citus.stop();
  });

  test('is recorded in the audit log', async () => {
    const rows = await service.db
      .selectFrom('audit_log')
      .select(['actor', 'details'])
      .where('kind', '=', 'tables_distributed')
      .execute();
    expect(rows).toEqual([{ actor: 'command line', details: { tables: expect.any(Number), shards: SHARDS } }]);
  });

  test('runs each statement of an evaluation and of a completed challenge in one place', async () => {
    const project = await service.newProject({ allowed_origins: [origin], managed_challenge_page: true });
    const customer = customerOf(service, project);
    const statements = new Map<string, RecordedStatement>();
    onStatement((statement) => statements.set(statement.text, statement));
    await customer.evaluate({ action: 'signup', user: 'ada', fingerprint: laptop, ip: home, email: 'ada@example.com' });
    const { id, code } = await customer.sendCode('ada', { fingerprint: phone });
    await customer.ask(`/v2/challenges/${id}/open`);
    await customer.ask(`/v2/challenges/${id}/verify`, { code });
    await customer.ask(`/v2/challenges/${id}/complete`);
    await customer.evaluate({ action: 'login', user: 'ada', fingerprint: phone, ip: home });
    await customer.evaluate({ action: 'login', user: 'ada', fingerprint: phone, ip: home, outcome: 'failed' });
    const claim = await customer.claim('ada');
    await customer.ask(`/v2/evaluations/${claim.evaluation_id}/consume`, { user: 'ada', action: 'login' });
    const scattered: string[] = [];
    // A copy, because the statements below are recorded too.
    const sent = [...statements.values()];
    for (const statement of sent) {
      if (isOfSession(statement.text)) continue;
      const plan = await explain(statement);
      const places = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
      if (places.some((count) => count !== 1) || plan.includes('Distributed Subplan')) {
        scattered.push(`${statement.text}\n${plan}`);
      }
    }
    expect(sent.length).toBeGreaterThan(40);
    expect(scattered).toEqual([]);
  });

  async function explain({ text, values }: RecordedStatement): Promise<string> {
    const client = new pg.Client(citus.url(NAME));
    await client.connect();
    try {
      const { rows } = await client.query({ text: `explain (costs off) ${text}`, values: [...values] });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await client.end();
    }
  }
});

/** Returns whether a statement is about a transaction or the session, and so has no plan. */
function isOfSession(text: string): boolean {
  return /^\s*(begin|commit|rollback|set|reset)\b/.test(text);
}
