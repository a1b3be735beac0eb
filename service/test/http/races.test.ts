import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Customer, customerOf, differentCode, home, laptop, origin, phone } from '../support/customer.js';
import { type ApiAnswer, startService, type TestProject, type TestService } from '../support/service.js';

const times = <Result>(count: number, act: (index: number) => Result) =>
  Array.from({ length: count }, (_, i) => act(i));
const countBy = (answers: ApiAnswer[], of: (answer: ApiAnswer) => unknown) => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[String(of(answer))] = (counts[String(of(answer))] ?? 0) + 1;
  return counts;
};

/** Concurrent requests on separate connections. The embedded database runs one transaction at a time. */
describe.skipIf(!inject('databases').postgresql)('races (postgresql)', () => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: 'postgresql' });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });

  const eventsOf = async (type: string) => (await service.events(project)).filter((event) => event.type === type);
  const login = (more: object = {}) =>
    customer.post('/v2/device/evaluate', { action: 'login', user: 'ann', fingerprint: laptop, ip: home, ...more });

  test('two correct codes: both succeed, and the challenge is verified once', async () => {
    const { id, code } = await customer.sendCode('ann');
    const answers = await Promise.all(times(8, () => customer.post(`/v2/challenges/${id}/verify`, { code })));
    expect(answers.map(({ body }) => body)).toEqual(times(8, () => ({ success: true })));
    const row = await service.db.selectFrom('challenges').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect([row.code_tries, row.status]).toEqual([0, 'pending']);
  });

  test('wrong codes are counted exactly: five are checked, and the rest rejected', async () => {
    const { id, code } = await customer.sendCode('ann');
    const wrong = differentCode(code);
    const answers = await Promise.all(times(12, () => customer.post(`/v2/challenges/${id}/verify`, { code: wrong })));
    expect(countBy(answers, ({ status }) => status)).toEqual({ 200: 5, 429: 7 });
    const remaining = answers.flatMap(({ body }) => body.attempts_remaining ?? []).sort();
    expect(remaining).toEqual([0, 1, 2, 3, 4]);
  });

  test('wrong codes of one user are counted exactly over all challenges: ten are checked, and the rest rejected', async () => {
    const sent = [];
    for (const action of ['login', 'payment', 'password_reset']) sent.push(await customer.sendCode('ann', { action }));
    const answers = await Promise.all(
      sent.flatMap(({ id, code }) =>
        times(5, () => customer.post(`/v2/challenges/${id}/verify`, { code: differentCode(code) })),
      ),
    );
    expect(countBy(answers, ({ status }) => status)).toEqual({ 200: 10, 429: 5 });
  });

  test('a correct code among wrong ones: verified only if it came before the fifth wrong one', async () => {
    const { id, code } = await customer.sendCode('ann');
    const codes = [...times(6, () => differentCode(code)), code, ...times(6, () => differentCode(code))];
    const answers = await Promise.all(
      codes.map((typed) => customer.post(`/v2/challenges/${id}/verify`, { code: typed })),
    );
    const right = answers[6];
    const challenge = (await customer.get(`/v2/challenges/${id}`)).body;
    expect(challenge.verified_at !== undefined).toBe(right?.body.success === true);
    expect(answers.filter(({ body }) => body.success === false)).toHaveLength(5);
  });

  test('two completions: both succeed, and one event is emitted', async () => {
    const { challenge_id, device_id } = await customer.challenge('ann');
    const answers = await Promise.all(times(8, () => customer.post(`/v2/challenges/${challenge_id}/complete`)));
    expect(answers.map(({ body }) => body)).toEqual(times(8, () => ({ success: true })));
    expect(await eventsOf('challenge.completed')).toHaveLength(1);
    const [device] = (await customer.get('/v2/user/ann/devices')).body.data;
    expect(device).toMatchObject({ _id: device_id, status: 'attached', trusted: true, __v: 1 });
  });

  test('complete and skip: one succeeds', async () => {
    const { challenge_id } = await customer.challenge('ann');
    const answers = await Promise.all(
      ['complete', 'skip'].map((operation) => customer.post(`/v2/challenges/${challenge_id}/${operation}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { status } = (await customer.get(`/v2/challenges/${challenge_id}`)).body;
    expect(status).toBe(answers[0]?.status === 200 ? 'completed' : 'skipped');
  });

  test('sends: one code is sent, and it is the valid one', async () => {
    const { challenge_id: id } = await customer.challenge('ann');
    const answers = await Promise.all(times(8, () => customer.post(`/v2/challenges/${id}/send`)));
    expect(countBy(answers, ({ status }) => status)).toEqual({ 200: 1, 429: 7 });
    expect(service.outbox).toHaveLength(1);
    const code = service.outbox[0]?.code;
    expect(await customer.ask(`/v2/challenges/${id}/verify`, { code })).toEqual({ success: true });
  });

  test('a send during a verification: either the old code was in time, or the new one is valid', async () => {
    const { id, code: old } = await customer.sendCode('ann');
    service.clock.advance(30_000);
    const [verified, sent] = await Promise.all([
      customer.post(`/v2/challenges/${id}/verify`, { code: old }),
      customer.post(`/v2/challenges/${id}/send`),
    ]);
    expect(sent.status).toBe(200);
    const code = service.outbox.at(-1)?.code ?? '';
    if (verified.body.success) {
      expect((await customer.get(`/v2/challenges/${id}`)).body.verified_at).toBeDefined();
    } else {
      expect(verified.body).toEqual({ success: false, attempts_remaining: 4 });
    }
    expect((await customer.ask(`/v2/challenges/${id}/verify`, { code })).success).toBe(true);
  });

  test('the limit of ten codes per hour and contact is exact, even for challenges of several users', async () => {
    const ids: string[] = [];
    for (const index of times(14, (i) => i)) {
      const user = `user-${index}`;
      const email = 'family@example.com';
      ids.push((await customer.challenge(user, { email, fingerprint: `opaque ${index}` })).challenge_id);
    }
    const answers = await Promise.all(ids.map((id) => customer.post(`/v2/challenges/${id}/send`)));
    expect(countBy(answers, ({ status }) => status)).toEqual({ 200: 10, 429: 4 });
    expect(service.outbox).toHaveLength(10);
  });

  test('kicks: the device is detached once', async () => {
    const { device_id } = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone });
    const { challenge_id } = await customer.challenge('ann');
    const answers = await Promise.all(
      times(8, () => customer.post(`/v2/challenges/${challenge_id}/kick`, { device: device_id })),
    );
    expect(countBy(answers, ({ status }) => status)).toEqual({ 200: 8 });
    expect(await eventsOf('device.detached')).toHaveLength(1);
  });

  test('operations that consume a claim: one user, one device, one event', async () => {
    const { challenge_id } = await customer.claim('ann');
    const answers = await Promise.all(times(8, () => customer.post(`/v2/challenges/${challenge_id}/open`)));
    expect(countBy(answers, ({ status }) => status)).toEqual({ 200: 8 });
    expect(await eventsOf('challenge.initiated')).toHaveLength(1);
    expect((await customer.get('/v2/user/ann/devices')).body.total).toBe(1);
  });

  test('merges of metadata: none is lost', async () => {
    const { device_id } = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop });
    await Promise.all(
      times(10, (index) => customer.ask(`/v2/device/${device_id}/metadata`, { metadata: { [`key${index}`]: index } })),
    );
    const [device] = (await customer.get('/v2/user/ann/devices')).body.data;
    expect(Object.keys(device.metadata)).toHaveLength(10);
    expect(device.__v).toBe(10);
  });

  test('a deletion during evaluations and codes: each gets a response, and no partial data remains', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, code } = await customer.sendCode('ann', { email: `ann${round}@example.com` });
      const answers = await Promise.all([
        login(),
        login({ fingerprint: phone }),
        customer.post(`/v2/challenges/${id}/verify`, { code }),
        customer.post('/v2/user/ann/delete'),
        login(),
        customer.post(`/v2/challenges/${id}/complete`),
        customer.post('/v2/user/ann/update', { status: 'active' }),
      ]);
      // On a busy machine, one of them may wait too long for its turn. It is refused then, and nothing of it is written.
      expect(answers.filter(({ status, body }) => status >= 500 && body.code !== 'user_busy')).toEqual([]);
      await customer.post('/v2/user/ann/delete');
      for (const table of ['users', 'devices', 'challenges', 'evaluations', 'events'] as const) {
        const { count } = await service.db
          .selectFrom(table)
          .innerJoin('worlds', 'worlds.id', `${table}.world_id`)
          .select((builder) => builder.fn.countAll<number>().as('count'))
          .where('worlds.project_id', '=', project.project.id)
          .executeTakeFirstOrThrow();
        expect([table, count]).toEqual([table, 0]);
      }
    }
  });

  test('two deletions: only one finds the user', async () => {
    await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop });
    const answers = await Promise.all(times(6, () => customer.post('/v2/user/ann/delete')));
    expect(countBy(answers, ({ status }) => status)).toEqual({ 200: 1, 404: 5 });
  });
});
