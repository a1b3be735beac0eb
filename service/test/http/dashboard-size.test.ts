import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { home, laptop } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';

/** Largest page with its style sheet and our own scripts, compressed. */
const limitBytes = 60 * 1024;
/** Libraries that a page loads once, after which the browser keeps them. */
const libraries = /\/assets\/(?:chart|webauthn)\.js/;

describeDatabases('the size of pages of the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  const compressed = async (path: string) => {
    const { html, status } = await shop.visitor.get(path);
    expect(status, path).toBe(200);
    const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
    const texts = await Promise.all(
      files.filter((url) => !libraries.test(url)).map(async (url) => (await shop.visitor.get(url)).html),
    );
    return [html, ...texts].reduce((sum, text) => sum + gzipSync(text).length, 0);
  };

  test('is at most 60 KB compressed, with full lists', async () => {
    for (let at = 0; at < 30; at++) {
      const user = `user${at}@mail.example`;
      const request = { user, email: user, fingerprint: fingerprintOf({ seed: user }), ip: `198.51.100.${at}` };
      await shop.customer.evaluate({ action: 'login', metadata: { order: `number ${at}` }, ...request });
    }
    const { evaluation_id } = await shop.customer.evaluate({
      action: 'login',
      user: 'ann',
      fingerprint: laptop,
      ip: home,
    });
    const sections = [
      'overview',
      'users',
      'devices',
      'challenges',
      'evaluations',
      'review',
      'lists',
      'rules',
      'webhooks',
    ];
    const others = [
      'settings',
      'settings/alerts',
      'alerts',
      'policy',
      'policy/automation',
      'keys',
      'members',
      'audit',
      `evaluations/${evaluation_id}`,
      'subjects/address?value=198.51.100.7',
      'subjects/email_domain?value=mail.example',
    ];
    const pages = [...sections, ...others].map((name) => `${shop.base}/${name}`);
    for (const path of [...pages, '/dashboard/components'])
      expect(await compressed(path), path).toBeLessThan(limitBytes);
    // The rows were there.
    expect((await shop.shown('/evaluations')).html.match(/\/evaluations\/[0-9a-f-]{36}"/g)).toHaveLength(25);
  });
});
