import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Customer, customerOf, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

/** What a publishable key makes is a claim until the secret key touches it (docs/challenges.md). */
describeDatabases('challenges that a page claims', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });

  const eventTypes = async () => (await service.events(project)).map(({ type }) => type);
  const claim = async (more: object = {}) =>
    (await customer.claim('ann', { email: 'thief@example.com', phone: '+491701234567', ...more })).challenge_id;

  it('make and tell nothing by themselves', async () => {
    await claim();
    expect((await customer.get('/v2/challenges')).body.total).toBe(0);
    expect((await customer.get('/v2/user/ann/devices')).status).toBe(404);
    expect((await customer.get('/v2/proj/access-history')).body.total).toBe(0);
    expect(await eventTypes()).toEqual([]);
  });

  const touches: [string, (id: string) => Promise<unknown>][] = [
    ['retrieve', (id) => customer.get(`/v2/challenges/${id}`)],
    ['open', (id) => customer.ask(`/v2/challenges/${id}/open`)],
    ['send', (id) => customer.post(`/v2/challenges/${id}/send`)],
    ['devices', (id) => customer.get(`/v2/challenges/${id}/devices`)],
    ['complete', (id) => customer.ask(`/v2/challenges/${id}/complete`)],
    ['skip', (id) => customer.ask(`/v2/challenges/${id}/skip`)],
  ];
  it.each(touches)('come to be at the first touch: %s', async (name, touch) => {
    const id = await claim();
    await touch(id);
    expect((await eventTypes())[0]).toBe('challenge.initiated');
    const challenge = (await customer.get(`/v2/challenges/${id}`)).body;
    expect(challenge.user).toEqual({ _id: expect.any(String), external_id: 'ann' });
    expect(challenge.channels).toEqual([]);
    expect((await customer.get('/v2/challenges')).body.total).toBe(1);
    const devices = (await customer.get('/v2/user/ann/devices')).body.data;
    expect(devices).toMatchObject([
      { _id: challenge.device_id, status: name === 'complete' ? 'attached' : 'pending', trusted: name === 'complete' },
    ]);
    expect((await eventTypes()).filter((type) => type === 'challenge.initiated')).toHaveLength(1);
  });

  it('send codes to the contacts on record, never to the claimed ones', async () => {
    await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, email: 'ann@example.com' });
    await customer.ask(`/v2/challenges/${await claim()}/send`);
    expect(service.outbox.map(({ to }) => to)).toEqual(['ann@example.com']);
  });

  it('trust, once completed, the fingerprint that was challenged', async () => {
    await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, email: 'ann@example.com' });
    const id = await claim();
    await customer.ask(`/v2/challenges/${id}/send`);
    await customer.ask(`/v2/challenges/${id}/verify`, { code: service.outbox.at(-1)?.code });
    await customer.ask(`/v2/challenges/${id}/complete`);
    const { ip } = (await customer.get(`/v2/challenges/${id}`)).body;
    const again = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip });
    expect(again).toMatchObject({ verdict: 'allow', reasons: [] });
  });

  it('leave alone what the user has', async () => {
    const attached = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop });
    const before = (await customer.get('/v2/user/ann/devices')).body;
    const id = await claim();
    const challenge = (await customer.get(`/v2/challenges/${id}`)).body;
    expect(challenge.device_id).toBe(attached.device_id);
    expect((await customer.get('/v2/user/ann/devices')).body).toEqual(before);
  });

  it('are announced once, whether by a touch or by consumption', async () => {
    const evaluation = await customer.claim('ann');
    const consume = `/v2/evaluations/${evaluation.evaluation_id}/consume`;
    await customer.get(`/v2/challenges/${evaluation.challenge_id}`);
    await customer.ask(consume, { user: 'ann', action: 'login' });
    expect((await eventTypes()).filter((type) => type === 'challenge.initiated')).toHaveLength(1);
    expect((await customer.get('/v2/user/ann/devices')).body.total).toBe(1);
    expect((await customer.get('/v2/proj/access-history')).body.total).toBe(1);
  });

  it('are skipped by an expiry that nobody came before', async () => {
    const id = await claim();
    service.clock.advance(24 * 3_600_000);
    expect((await customer.post(`/v2/challenges/${id}/send`)).body.code).toBe('challenge_closed');
  });
});
