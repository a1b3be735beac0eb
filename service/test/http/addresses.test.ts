import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Customer, customerOf, home, laptop, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { writeMmdb } from '../support/mmdb.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const berlin = '81.2.69.142';
const berlinV6 = '2a02:2e0:1::7';
const record = {
  country: { iso_code: 'DE' },
  city: { names: { en: 'Berlin' } },
  location: { latitude: 52.52, longitude: 13.41, accuracy_radius: 20 },
  autonomous_system_number: 3320,
  autonomous_system_organization: 'Deutsche Telekom AG',
};
const known = {
  country: 'DE',
  city: 'Berlin',
  latitude: 52.52,
  longitude: 13.41,
  accuracy_km: 20,
  asn: 3320,
  organisation: 'Deutsche Telekom AG',
  sources: { country: 'Test-City 2026-11-01', location: 'Test-City 2026-11-01', asn: 'Test-City 2026-11-01' },
};

describeDatabases('facts about addresses', (kind) => {
  let folder: string;
  let tor: string;
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-addresses-'));
    const city = join(folder, 'city.mmdb');
    tor = join(folder, 'tor.txt');
    const networks = ['81.2.69.0/24', '2a02:2e0::/32'].map((network) => [network, record] as const);
    await writeFile(city, writeMmdb(networks, { type: 'Test-City' }));
    await writeFile(tor, '185.220.101.1\n');
    service = await startService({
      database: kind,
      environment: { ADDRESS_DATABASES: city, ADDRESS_LISTS: `tor=${tor}` },
      checkAddressesEveryMs: 20,
    });
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });
  const login = { action: 'login', user: 'ada', fingerprint: laptop };

  test.each([berlin, berlinV6])('are returned and recorded for %s', async (ip) => {
    const evaluation = await customer.evaluate({ ...login, ip });
    expect(evaluation.address).toEqual(known);
    expect((await customer.get(`/v2/evaluations/${evaluation.evaluation_id}`)).body.address).toEqual(known);
  });

  test.each([home, '10.0.0.1', '2001:db8::1'])('are absent for %s, and without an address', async (ip) => {
    const { evaluation_id, ...evaluation } = await customer.evaluate({ ...login, ip });
    expect(evaluation).not.toHaveProperty('address');
    expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).body).not.toHaveProperty('address');
    expect(await customer.evaluate(login)).not.toHaveProperty('address');
  });

  test('of an evaluation stay the same when the files change', async () => {
    const ip = '185.220.101.2';
    const before = await customer.evaluate({ ...login, ip });
    await writeFile(tor, `185.220.101.1\n${ip}\n`);
    await waitFor(async () => (await customer.evaluate({ ...login, ip })).address?.kind === 'tor', {
      what: 'the list',
    });
    expect((await customer.get(`/v2/evaluations/${before.evaluation_id}`)).body.address).toEqual(before.address);
  });

  test('are shown to the secret key for a claim, and never to the page', async () => {
    const { publishable } = project.keys.live;
    const { body: claim } = await service.api('/v2/device/evaluate', {
      key: publishable,
      body: login,
      headers: { Origin: origin, 'X-Forwarded-For': berlin },
    });
    expect(claim).not.toHaveProperty('address');
    const path = `/v2/evaluations/${claim.evaluation_id}`;
    expect((await customer.get(path)).body.address).toEqual(known);
    const consumed = await customer.ask(`${path}/consume`, { user: 'ada', action: 'login' });
    expect(consumed.address).toEqual(known);
    expect((await customer.get(path)).body.address).toEqual(known);
  });

  test('are exported and erased with the user', async () => {
    const { evaluation_id } = await customer.evaluate({ ...login, ip: berlin });
    const { evaluations } = (await customer.get('/v2/user/ada/export')).body;
    expect(evaluations).toMatchObject([{ evaluation_id, address: known }]);
    await customer.ask('/v2/user/ada/delete');
    expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).status).toBe(404);
    const rows = await service.db.selectFrom('evaluations').select('id').where('id', '=', evaluation_id).execute();
    expect(rows).toEqual([]);
  });
});
