import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../src/testing.js';
import { type Customer, customerOf, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { writeMmdb } from '../support/mmdb.js';
import { startService, type TestService } from '../support/service.js';

const berlin = '81.2.69.142';
const tokyo = '126.0.0.7';
const hidden = '81.2.69.200';
const city = (country: string, latitude: number, longitude: number) => ({
  country: { iso_code: country },
  location: { latitude, longitude, accuracy_radius: 20 },
});

describeDatabases('places', (kind) => {
  let folder: string;
  let service: TestService;
  let customer: Customer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-places-'));
    const database = join(folder, 'city.mmdb');
    const vpn = join(folder, 'vpn.txt');
    const networks = [
      ['81.2.69.0/24', city('DE', 52.52, 13.41)],
      ['126.0.0.0/16', city('JP', 35.68, 139.69)],
    ] as const;
    await writeFile(database, writeMmdb(networks, { type: 'Test-City' }));
    await writeFile(vpn, `${hidden}\n`);
    const environment = { ADDRESS_DATABASES: database, ADDRESS_LISTS: `vpn=${vpn}` };
    service = await startService({ database: kind, environment });
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    customer = customerOf(service, await service.newProject({ allowed_origins: [origin] }));
    const atHome = { user: 'ada', fingerprint: laptop, ip: berlin, email: 'ada@example.com' };
    expect((await customer.evaluate({ action: 'signup', ...atHome })).verdict).toBe('allow');
    service.clock.advance(hourMs);
  });
  const login = (ip: string, fingerprint = laptop) =>
    customer.evaluate({ action: 'login', user: 'ada', fingerprint, ip });
  const evidence = async ({ evaluation_id }: { evaluation_id: string }, reason: string) => {
    const { evidence: findings } = (await customer.get(`/v2/evaluations/${evaluation_id}`)).body;
    return findings.find((finding: { reason: string }) => finding.reason === reason)?.evidence;
  };
  const travel = 'impossible_travel';

  test('that nobody could reach in time are challenged', async () => {
    const far = await login(tokyo, phone);
    expect(far).toMatchObject({
      verdict: 'challenge',
      reasons: ['new_device', 'new_ip', travel, 'new_country', 'high_risk'],
    });
    expect(await evidence(far, travel)).toMatchObject({ km: 8917, hours: 1 });
    expect(await evidence(far, 'new_country')).toEqual({ country: 'JP', known_countries: ['DE'] });
  });

  test('become known when the challenge is completed, and not before', async () => {
    const far = await login(tokyo, phone);
    expect(await login(berlin)).toMatchObject({ verdict: 'allow', reasons: [] });
    await customer.ask(`/v2/challenges/${far.challenge_id}/complete`);
    // The newest access is the one at home.
    expect((await login(berlin)).reasons).not.toContain(travel);
    expect((await login(tokyo, phone)).reasons).toEqual([travel]);
  });

  test('of failed attempts are not learned', async () => {
    const attempt = { action: 'login', user: 'ada', fingerprint: phone, ip: tokyo, outcome: 'failed' };
    expect((await customer.evaluate(attempt)).reasons).toContain(travel);
    expect(await login(berlin)).toMatchObject({ verdict: 'allow', reasons: [] });
  });

  test('of a trusted device at a trusted address are only reported', async () => {
    const far = await login(tokyo, phone);
    await customer.ask(`/v2/challenges/${far.challenge_id}/complete`);
    expect(await login(berlin)).toMatchObject({ verdict: 'allow', reasons: [travel] });
  });

  test('of a device that was blocked, or of an evaluation labelled as fraud, are forgotten', async () => {
    const far = await login(tokyo, phone);
    await customer.ask(`/v2/challenges/${far.challenge_id}/complete`);
    await customer.ask(`/v2/evaluations/${far.evaluation_id}/feedback`, { label: 'fraud' });
    expect((await login(berlin)).reasons).toEqual([]);
    const again = await login(tokyo, phone);
    expect(again.reasons).toEqual(expect.arrayContaining([travel, 'new_country']));
    service.clock.advance(hourMs);
    await customer.ask(`/v2/device/${again.device_id}/update`, { status: 'blocked' });
    expect((await login(berlin)).reasons).toEqual([]);
  });

  test('of half a year ago are known while there are few newer ones', async () => {
    service.clock.advance(180 * dayMs);
    expect((await login(berlin)).reasons).not.toContain('new_country');
    expect((await login(tokyo, phone)).reasons).toContain('new_country');
  });

  test('behind a VPN say nothing about travel', async () => {
    const behind = await login(hidden);
    expect(behind.reasons).toEqual(['new_ip', 'anonymous_network']);
    expect(await evidence(behind, 'anonymous_network')).toMatchObject({
      address_kind: 'vpn',
      source: expect.stringContaining('vpn.txt'),
    });
    const referral = { action: 'referral', user: 'eve', fingerprint: phone, ip: hidden };
    expect((await customer.evaluate(referral)).verdict).toBe('restrict');
  });

  test('are not compared for a publishable key', async () => {
    const claim = await customer.claim('ada', { fingerprint: laptop });
    const read = await customer.get(`/v2/evaluations/${claim.evaluation_id}`);
    expect(read.body.reasons).not.toContain(travel);
    expect(read.body.reasons).not.toContain('new_country');
  });
});
