import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { type ApiAnswer, startService, type TestProject, type TestService } from '../support/service.js';

const phone = fingerprintOf({ seed: 'phone', descriptor: 'mac156' });
const ip = '198.51.100.7';

/** Concurrent requests: each response must still be true afterwards. On PostgreSQL they really run concurrently. */
describeDatabases('concurrent evaluations', (kind) => {
  let service: TestService;
  let project: TestProject;

  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
  });

  const get = (path: string) => service.api(path, { key: project.keys.live.secret });
  const post = (path: string, body?: object) => service.api(path, { key: project.keys.live.secret, body });
  const evaluate = (body: object) => post('/v2/device/evaluate', { action: 'login', user: 'ann', ip, ...body });
  const atOnce = (count: number, ask: (index: number) => Promise<ApiAnswer>) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
  const distinct = (answers: ApiAnswer[], field: string) => new Set(answers.map(({ body }) => body[field]));

  test('ten identical evaluations create one user, one device, one challenge and one event', async () => {
    const answers = await atOnce(10, () => evaluate({ fingerprint: phone }));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    for (const field of ['device_id', 'challenge_id', 'fingerprint_id']) expect(distinct(answers, field).size).toBe(1);
    expect(distinct(answers, 'evaluation_id').size).toBe(10);
    expect((await get('/v2/challenges')).body.total).toBe(1);
    expect((await get('/v2/user/ann/devices')).body.total).toBe(1);
    expect(await service.events(project)).toHaveLength(1);
  });

  test('a new fingerprint of ten concurrent users is one identity', async () => {
    // Several times, because the moment between looking it up and storing it is short.
    for (let round = 0; round < 20; round++) {
      const fingerprint = fingerprintOf({ seed: `phone ${round}` });
      const answers = await atOnce(10, (index) => evaluate({ fingerprint, user: `user ${round} ${index}` }));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect(distinct(answers, 'fingerprint_id').size).toBe(1);
      expect(distinct(answers, 'device_id').size).toBe(10);
    }
  });

  test('ten concurrent new devices of one user do not exceed its limit', async () => {
    await evaluate({ action: 'signup', fingerprint: phone });
    const answers = await atOnce(10, (index) =>
      post('/v2/device/attach', { user: 'ann', fingerprint: fingerprintOf({ seed: `${index}` }) }),
    );
    expect(answers.filter(({ body }) => body.challenge_id === undefined)).toHaveLength(4);
    const attached = await get('/v2/user/ann/devices?status=attached');
    expect(attached.body.total).toBe(5);
  });

  test('an evaluation is consumed only once', async () => {
    const { body } = await evaluate({ fingerprint: phone });
    const answers = await atOnce(5, () =>
      post(`/v2/evaluations/${body.evaluation_id}/consume`, { user: 'ann', action: 'login' }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test('an evaluation during the deletion of its user leaves all of the user, or nothing', async () => {
    await evaluate({ action: 'signup', fingerprint: phone, email: 'ann@example.com' });
    const [deleted, ...answers] = await Promise.all([
      post('/v2/user/ann/delete'),
      ...Array.from({ length: 5 }, () => evaluate({ fingerprint: phone })),
    ]);
    expect(deleted?.status).toBe(200);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const devices = await get('/v2/user/ann/devices');
    const history = await get('/v2/proj/access-history?user=ann');
    // A request after the deletion creates the user again, with a device. Before it, nothing remains.
    if (devices.status === 404) expect(history.body.total).toBe(0);
    else expect(devices.body.total).toBe(1);
  });
});
