import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerOf, home, laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';

describeDatabases('the search field of every page', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  const target = async (q: string) => {
    const { status, headers } = await shop.post('/search', { q });
    return status === 303 ? headers.get('Location')?.slice(shop.base.length) : status;
  };

  test('opens what it names', async () => {
    const { device_id, evaluation_id, fingerprint_id, challenge_id } = await shop.customer.challenge('sara');
    const user = await shop.userIdOf('sara');
    const claim = await shop.customer.claim('claimed', { fingerprint: phone });
    const targets = {
      sara: `/users/${user}`,
      [user]: `/users/${user}`,
      'Sara@Example.com': `/users/${user}`,
      sar: `/users/${user}`,
      [device_id]: `/devices/${device_id}`,
      [fingerprint_id]: `/devices?fingerprint_id=${fingerprint_id}`,
      [laptop]: `/devices?fingerprint_id=${fingerprint_id}`,
      [evaluation_id]: `/evaluations/${evaluation_id}`,
      [claim.evaluation_id]: `/evaluations/${claim.evaluation_id}`,
      [challenge_id]: `/challenges/${challenge_id}`,
      ' 198.51.100.7 ': `/subjects/address?value=${home}`,
      '2001:db8::7': '/subjects/address?value=2001%3Adb8%3A%3A%2F64',
      '198.51.100.0/24': '/evaluations?ip=198.51.100.0%2F24',
      as64496: '/subjects/asn?value=64496',
      DE: '/subjects/country?value=DE',
      germany: '/subjects/country?value=DE',
      'Example.com': '/subjects/email_domain?value=example.com',
      '@example.com': '/subjects/email_domain?value=example.com',
    };
    for (const [text, path] of Object.entries(targets)) expect(await target(text), text).toBe(path);
  });

  test('lists users whose identifier begins with the text, and says if there is none', async () => {
    await shop.customer.challenge('twin-1');
    await shop.customer.challenge('twin-2');
    const several = await shop.post('/search', { q: 'twin' });
    expect(several.text).toMatch(/twin-1 .* twin-2/);
    const none = await shop.post('/search', { q: '<b>nobody</b>' });
    expect(none.text).toContain('No users found.');
    expect(none.html).not.toContain('<b>');
    expect(await target(' ')).toBe('/overview');
    expect((await shop.post('/search', { q: 'x', csrf: 'AAAA' })).status).toBe(403);
  });

  test('finds nothing of another project', async () => {
    const theirs = await customerOf(shop.service, await shop.service.newProject()).challenge('their user');
    for (const id of [
      theirs.device_id,
      theirs.evaluation_id,
      theirs.fingerprint_id,
      theirs.challenge_id,
      'their user',
    ]) {
      expect(await target(id), id).toBe(200);
    }
  });
});
