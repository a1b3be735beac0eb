import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { home, laptop } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { writeMmdb } from '../support/mmdb.js';

const evil = '<script>alert(1)</script>';
const berlin = {
  country: { iso_code: 'DE' },
  subdivisions: [{ names: { en: 'State of Berlin' } }],
  city: { names: { en: 'Berlin' } },
  location: { latitude: 52.52, longitude: 13.41, accuracy_radius: 20 },
  autonomous_system_number: 3320,
  autonomous_system_organization: 'Deutsche Telekom AG',
};
const hosting = { country_code: 'US', autonomous_system_number: 24940, autonomous_system_organization: evil };

describeDatabases('facts about addresses on the dashboard', (kind) => {
  let folder: string;
  let shop: DashboardShop;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-addresses-'));
    const database = join(folder, 'city.mmdb');
    const tor = join(folder, 'tor.txt');
    await writeFile(
      database,
      writeMmdb(
        [
          ['81.2.69.0/24', berlin],
          ['2a02:2e0::/32', berlin],
          ['185.1.1.0/24', hosting],
        ],
        { type: 'Test-City' },
      ),
    );
    await writeFile(tor, '185.220.101.1\n');
    shop = await openDashboardShop(kind, {
      environment: { ADDRESS_DATABASES: database, ADDRESS_LISTS: `tor=${tor}` },
    });
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });
  const evaluate = (user: string, ip: string) =>
    shop.customer.evaluate({ action: 'login', user, fingerprint: laptop, ip });

  test('are on the page of an evaluation, with their sources and the credits', async () => {
    const { evaluation_id } = await evaluate('ada', '81.2.69.142');
    const { text, html } = await shop.shown(`/evaluations/${evaluation_id}`);
    expect(text).toContain('Country Germany Test-City 2026-11-01');
    expect(text).toContain('City Berlin Test-City 2026-11-01');
    expect(text).toContain('Coordinates 52.52, 13.41, within 20 km');
    expect(text).toContain('Network AS3320 Deutsche Telekom AG Test-City 2026-11-01');
    expect(html).toContain('href="https://db-ip.com"');
    expect((await shop.shown('/evaluations')).text).toContain('81.2.69.142 Berlin, Germany · AS3320');
  });

  test('name the list that an address is on', async () => {
    const { evaluation_id } = await evaluate('tom', '185.220.101.1');
    expect((await shop.shown(`/evaluations/${evaluation_id}`)).text).toMatch(
      /Kind Tor exit tor\.txt \d{4}-\d{2}-\d{2}/,
    );
  });

  test('are on the pages of the user and the device, also for IPv6', async () => {
    const { device_id } = await evaluate('bea', '2a02:2e0:1::7');
    const summary = 'Berlin, Germany · AS3320 Deutsche Telekom AG';
    expect((await shop.shown(`/users/${await shop.userIdOf('bea')}`)).text).toContain(`2a02:2e0:1::/64 ${summary}`);
    const { text } = await shop.shown(`/devices/${device_id}`);
    expect(text).toContain('Last IP address 2a02:2e0:1::7 Country and network');
    expect(text).toContain(`2a02:2e0:1::7 ${summary}`);
  });

  test('are escaped', async () => {
    const { evaluation_id, device_id } = await evaluate('eve', '185.1.1.1');
    const user = await shop.userIdOf('eve');
    for (const path of [`/evaluations/${evaluation_id}`, `/devices/${device_id}`, `/users/${user}`, '/evaluations']) {
      const { html, text } = await shop.shown(path);
      expect(html).not.toContain(evil);
      expect(text).toContain('AS24940');
    }
  });

  test('are unknown for test addresses', async () => {
    const { evaluation_id } = await evaluate('ida', home);
    expect((await shop.shown(`/evaluations/${evaluation_id}`)).text).toContain('Country and network unknown');
  });

  test('have a page with the date and the licence of each database and list', async () => {
    const { text } = await shop.shown('/addresses');
    expect(text).toMatch(/tor\.txt \d{4}-\d{2}-\d{2} tor: 1 range .* your own file/);
    expect(text).toContain('Test-City 2026-11-01 Test-City 1 Nov 2026');
    expect(text).toMatch(/geo-whois-asn-country 20\d\d-\d\d-\d\d country .* CC BY 4\.0 Number Resource Organization/);
    expect(text).toMatch(/ip-location-db asn 20\d\d-\d\d-\d\d network .* CC BY 4\.0 DB-IP/);
  });
});
