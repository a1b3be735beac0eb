import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../src/testing.js';
import { laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { writeMmdb } from '../support/mmdb.js';
import { launch, runProcess, startProcess } from '../support/process.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { waitFor } from '../support/wait-for.js';

const berlin = '81.2.69.142';
const tokyo = '126.0.0.7';
const exit = '185.220.101.1';
const month = new Date().toISOString().slice(0, 7);
const cityPath = `/free/dbip-city-lite-${month}.mmdb.gz`;

const city = (name: string, country: string, [latitude, longitude]: readonly [number, number]) => ({
  city: { names: { en: name } },
  country: { iso_code: country },
  location: { latitude, longitude, accuracy_radius: 20 },
});
const networks = [
  ['81.2.69.0/24', city('Berlin', 'DE', [52.52, 13.41])],
  ['126.0.0.0/16', city('Tokyo', 'JP', [35.68, 139.69])],
] as const;
const network = { autonomous_system_number: 3320, autonomous_system_organization: 'Deutsche Telekom AG' };

/** Serves the files of deploy/addresses.example.json, as their publishers do. */
function publish(publisher: Receiver): void {
  const serve = (path: string, body: Buffer | string) =>
    publisher.answerAlways(path, (response) => response.writeHead(200).end(body));
  serve(cityPath, gzipSync(writeMmdb(networks, { type: 'DBIP-City-Lite', builtAt: new Date() })));
  const asn = writeMmdb([['81.2.0.0/16', network]], { type: 'DBIP-ASN-Lite', builtAt: new Date() });
  serve(`/free/dbip-asn-lite-${month}.mmdb.gz`, gzipSync(asn));
  serve('/torbulkexitlist', `${exit}\n`);
  serve('/egress-ip-ranges.csv', '172.224.224.0/27,GB,GB-EN,London,\n');
}

/** Writes deploy/addresses.example.json with the addresses of a test server. */
async function writeSources(folder: string, publisher: Receiver): Promise<string> {
  const example = await readFile(new URL('../../../deploy/addresses.example.json', import.meta.url), 'utf8');
  const local = example.replaceAll(/(?<="url": ")https:\/\/[^/"]+(?=\/)/g, publisher.url);
  const path = join(folder, 'sources.json');
  await writeFile(path, JSON.stringify({ ...JSON.parse(local), folder: 'files' }));
  return path;
}

describeDatabases('the example of sources', (kind) => {
  let folder: string;
  let publisher: Receiver;
  let environment: { readonly ADDRESS_SOURCES: string };
  let shop: DashboardShop;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-updates-'));
    publisher = await startReceiver();
    environment = { ADDRESS_SOURCES: await writeSources(folder, publisher) };
    shop = await openDashboardShop(kind, { environment, checkAddressesEveryMs: 20 });
  });
  afterAll(async () => {
    await shop.close();
    await publisher.close();
    await rm(folder, { recursive: true });
  });
  const login = (ip: string, fingerprint = laptop) =>
    shop.customer.evaluate({ action: 'login', user: 'ada', fingerprint, ip, email: 'ada@example.com' });
  const run = (...args: string[]) => runProcess(['addresses', ...args], environment);

  test('gives a running service cities, with which it finds impossible journeys', async () => {
    publish(publisher);
    expect(await login(berlin)).not.toHaveProperty('address');
    expect((await shop.shown('/addresses')).text).toContain('dbip-city-lite database no file yet');

    const updated = await run('update');
    expect(updated).toMatchObject({ code: 0, stderr: '' });
    expect(updated.stdout).toMatch(
      /^dbip-city-lite {2}updated {2}built 20\d\d-\d\d-\d\d, \d+ bytes\ndbip-asn-lite {2}updated .*\ntor {2}updated {2}1 range\nicloud-private-relay {2}updated {2}1 range\n$/,
    );
    // The files are read one after another.
    const areRead = async () => !(await shop.shown('/addresses')).text.includes('no file yet');
    await waitFor(areRead, { what: 'the new files' });
    expect(await login(berlin)).toMatchObject({ address: { country: 'DE', city: 'Berlin', asn: 3320 } });
    expect(await login(exit)).toMatchObject({ address: { kind: 'tor' } });

    const bea = { user: 'bea', fingerprint: laptop, email: 'bea@example.com' };
    await shop.customer.evaluate({ ...bea, action: 'signup', ip: berlin });
    shop.service.clock.advance(hourMs);
    const far = await shop.customer.evaluate({ ...bea, action: 'login', fingerprint: phone, ip: tokyo });
    expect(far).toMatchObject({ verdict: 'challenge', address: { city: 'Tokyo' } });
    expect(far.reasons).toContain('impossible_travel');
  });

  test('is kept if an update fails, which the command and the dashboard show', async () => {
    publish(publisher);
    await run('update', '--force');
    publisher.answerAlways(cityPath, (response) => response.end('<html>Maintenance</html>'));
    const failed = await run('update', 'dbip-city-lite', 'tor');
    expect(failed).toMatchObject({ code: 1, stderr: '1 source failed. The previous files stay in use.\n' });
    expect(failed.stdout).toMatch(
      /^dbip-city-lite {2}failed: it is not an MMDB file, or is incomplete\ntor {2}unchanged {2}1 range\n$/,
    );
    await waitFor(async () => (await login(berlin)).address?.city === 'Berlin', { what: 'the files' });
    const { text, html } = await shop.shown('/addresses');
    expect(text).toMatch(
      /DBIP-City-Lite \S+ DBIP-City-Lite .* \d+ days? .*it is not an MMDB file, or is incomplete CC BY 4\.0/,
    );
    expect(html).toContain('href="https://db-ip.com"');
    expect(text).not.toContain('60 days old');
    const listed = await run('list');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(
      /^dbip-city-lite {2}DBIP-City-Lite \S+ {2}0 days old {2}checked \S+Z {2}CC BY 4\.0 {2}failed \S+Z: it is not/,
    );
    const metrics = await (await fetch(`${shop.service.url}/metrics`)).text();
    expect(metrics).toMatch(/^whorl_address_source_age_seconds\{source="dbip-city-lite"\} \d+/m);
    expect(metrics).toMatch(/^whorl_address_source_age_seconds\{source="tor"\} \d+/m);

    const builtAt = new Date(Date.now() - 62 * dayMs);
    const old = writeMmdb(networks, { type: 'DBIP-City-Lite', builtAt });
    publisher.answerAlways(cityPath, (response) => response.end(old));
    expect((await run('update', '--force', 'dbip-city-lite')).code).toBe(0);
    const hasNotice = async () =>
      (await shop.shown('/addresses')).text.includes('More than 60 days old: dbip-city-lite.');
    await waitFor(hasNotice, { what: 'the notice' });
  });
});

describe('the commands for addresses', () => {
  let folder: string;
  let publisher: Receiver;
  let environment: { readonly ADDRESS_SOURCES: string };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-updates-'));
    publisher = await startReceiver();
    environment = { ADDRESS_SOURCES: await writeSources(folder, publisher) };
    publish(publisher);
    return async () => {
      await publisher.close();
      await rm(folder, { recursive: true });
    };
  });
  const files = () => readdir(join(folder, 'files'));

  test('leave the old file if they are killed, and work again at once', async () => {
    await runProcess(['addresses', 'update'], environment);
    const before = await readFile(join(folder, 'files', 'dbip-city-lite.mmdb'));
    publisher.answerAlways(cityPath, (response) => void response.writeHead(200).write(Buffer.alloc(1000, 'a')));
    const killed = await launch(['addresses', 'update', '--force'], environment);
    const isLoading = async () => (await files()).some((name) => name.endsWith('.part'));
    await waitFor(isLoading, { what: 'the unfinished file' });
    const refused = await runProcess(['addresses', 'update'], environment);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Another process is updating') });
    await killed.end('SIGKILL');
    expect(await readFile(join(folder, 'files', 'dbip-city-lite.mmdb'))).toEqual(before);
    publish(publisher);
    expect(await runProcess(['addresses', 'update', '--force'], environment)).toMatchObject({ code: 0, stderr: '' });
    expect((await files()).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('are not needed if the service works in the background', async () => {
    const builtAt = new Date(Date.now() - 62 * dayMs);
    const old = writeMmdb(networks, { type: 'DBIP-City-Lite', builtAt });
    publisher.answerAlways(cityPath, (response) => response.end(old));
    const first = await startProcess(environment);
    const isUpdated = () => first.stdout().includes('"source":"icloud-private-relay","outcome":"updated"');
    await waitFor(isUpdated, { what: 'the files' });
    const metrics = await (await fetch(`${first.url}/metrics`)).text();
    expect(metrics).toContain('whorl_address_updates_total{source="tor",outcome="updated"} 1');
    const { stdout } = await first.end('SIGTERM');
    expect(stdout).toContain('"A source of addresses has no valid file yet"');
    const { length } = publisher.received;

    const second = await startProcess(environment);
    const warned = await second.end('SIGTERM');
    expect(warned.stdout.match(/^.*"level":"warn".*60 days old.*$/gm)).toEqual([
      expect.stringContaining(
        '"sources":["dbip-city-lite: 62 days"],"msg":"Data about addresses is more than 60 days old.',
      ),
    ]);
    expect(publisher.received).toHaveLength(length);
  });

  test('say what is wrong with the configuration or the folder', async () => {
    const unset = await runProcess(['addresses', 'update'], {});
    expect(unset).toMatchObject({ code: 1, stderr: expect.stringContaining('Set ADDRESS_SOURCES to a file') });
    const unknown = await runProcess(['addresses', 'update', 'tors'], environment);
    expect(unknown.stderr).toBe(
      'There is no source named tors. The names are dbip-city-lite, dbip-asn-lite, tor, icloud-private-relay.\n',
    );
    await mkdir(join(folder, 'files'));
    await chmod(join(folder, 'files'), 0o555);
    const readOnly = await runProcess(['addresses', 'update'], environment, { without: ['dac_override'] });
    expect(readOnly).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the folder is not writable for this user'),
    });
    await chmod(join(folder, 'files'), 0o755);
    await writeFile(environment.ADDRESS_SOURCES, '{"sources":[{"name":"tor","url":"http://a.example/"}]}');
    for (const command of [['addresses', 'list'], ['start']]) {
      const invalid = await runProcess(command, environment);
      expect(invalid).toMatchObject({ code: 1, stderr: expect.stringContaining('sources[0].url must be an address') });
    }
  });
});
