import { afterAll, beforeAll, expect, test } from 'vitest';
import { administrator, readHead, recordAudit } from '../../src/testing.js';
import { insertMember } from '../support/admin.js';
import { auditChainOf, Undo } from '../support/audit-chain.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';

describeDatabases('the chain of the audit log', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());

  const { verify, findAfter } = auditChainOf(() => service);
  const record = (by: string, count: number) =>
    recordAudit(service.db, service.service, { kind: 'signed_in', by, details: { count } });

  test('is unbroken after changes by members, keys and commands', async () => {
    const customer = customerOf(service, await service.newProject());
    const { device_id } = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop, ip: home });
    await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
    await customer.ask('/v2/user/ann/update', { email: 'ann@example.com', status: 'suspended' });
    const { entries, problems, startedAt } = await verify();
    expect(problems).toEqual([]);
    expect(entries).toBeGreaterThan(3);
    expect(startedAt).toBeInstanceOf(Date);
  });

  test('has one line, whoever writes at the same time', async () => {
    const id = await insertMember(service.service, { email: 'parallel@example.com' });
    const before = (await verify()).entries;
    await Promise.all(Array.from({ length: 40 }, (_, at) => record(administrator({ id }), at)));
    const { entries, problems } = await verify();
    expect([entries - before, problems]).toEqual([40, []]);
  });

  test('takes nothing from a transaction that fails', async () => {
    const before = await readHead(service.service);
    const failing = service.db.transaction().execute(async (trx) => {
      await recordAudit(trx, service.service, { kind: 'signed_in' });
      throw new Undo();
    });
    await expect(failing).rejects.toThrow(Undo);
    expect(await readHead(service.service)).toEqual(before);
    await record('nobody', 1);
    expect((await verify()).problems).toEqual([]);
  });

  test('grows with none of the calls of a sign-in', async () => {
    const customer = customerOf(service, await service.newProject());
    const before = await readHead(service.service);
    const body = { user: 'bob', action: 'login', fingerprint: laptop, ip: home };
    const { evaluation_id } = await customer.ask('/v2/device/evaluate', body);
    await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'bob', action: 'login' });
    await customer.ask('/v2/device/attach', { user: 'bob', fingerprint: laptop, ip: home });
    expect(await readHead(service.service)).toEqual(before);
  });

  test('keeps what an erased user is replaced by, and finds users that were removed otherwise', async () => {
    const customer = customerOf(service, await service.newProject());
    const { device_id } = await customer.ask('/v2/device/attach', { user: 'eve', fingerprint: laptop, ip: home });
    await customer.ask(`/v2/device/${device_id}/update`, { whitelisted: true });
    const problems = await findAfter((trx) =>
      trx
        .updateTable('audit_log')
        .set({ user_id: null, subject: null, salt: null })
        .where('subject', '=', device_id)
        .execute(),
    );
    expect(problems).toEqual([expect.stringContaining('its user and subject were removed, but no user was erased')]);
    await customer.ask('/v2/user/eve/delete');
    expect((await verify()).problems).toEqual([]);
    const rows = await service.db.selectFrom('audit_log').select('subject').where('subject', '=', device_id).execute();
    expect(rows).toEqual([]);
    const [erasure] = await service.db
      .selectFrom('audit_log')
      .select(['actor', 'details'])
      .where('kind', '=', 'user_erased')
      .execute();
    expect(erasure?.actor).toMatch(/^key /);
    expect(erasure?.details).toEqual({ entries: [expect.any(Number)] });
  });

  test('cannot be changed by mistake', async () => {
    await record('nobody', 2);
    await expect(service.db.deleteFrom('audit_log').execute()).rejects.toThrow('append-only');
    await expect(service.db.updateTable('audit_log').set({ kind: 'other' }).execute()).rejects.toThrow('append-only');
  });
});
