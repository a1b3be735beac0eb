import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEntries, changeSettings, makeInvitation, resealAll } from '../../src/testing.js';
import { customerOf, elsewhere, home, laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';

/** Names of the API: lower-case words with underscores, not in a URL. */
const rawName = /(?<![\w./?&=@-])[a-z]+(?:_[a-z0-9]+)+(?![\w@-])/g;

describeDatabases('the words of the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
    await seed();
  });
  afterAll(() => shop.close());

  /** Makes evaluations, devices and entries of the audit log of many kinds. */
  async function seed(): Promise<void> {
    const { customer, service } = shop;
    const project = shop.project.project.id;
    const rules = [
      { name: 'Tags', when: 'true', effect: 'tag', tag: 'all' },
      { name: 'Asks', when: 'true', effect: 'challenge_and_restrict', state: 'shadow' },
    ];
    const changes = { rules, policy: { login: { new_device: 'challenge_and_restrict' } } };
    await changeSettings(service.service, { project, changes, changedBy: 'test' });
    const entries = [
      { kind: 'email_domain', effect: 'review', value: 'mail.example' },
      { kind: 'user', effect: 'review', value: 'ada' },
    ] as const;
    for (const entry of entries) {
      await addEntries(service.service, { projectId: project, entries: [entry], origin: { by: 'test' } });
    }
    const known = { user: 'ada', email: 'ada@mail.example', ip: home };
    await customer.evaluate({ ...known, action: 'signup', fingerprint: laptop });
    const strange = fingerprintOf({ seed: 'laptop', integrity: ['webdriver', 'unreadable_check'] });
    for (const fingerprint of [strange, phone, 'undefined']) {
      await customer.evaluate({ ...known, action: 'password_reset', fingerprint, ip: elsewhere });
      await customer.evaluate({ ...known, action: 'login', fingerprint });
    }
    await customer.evaluate({
      ...known,
      action: 'signup',
      user: 'bob',
      fingerprint: laptop,
      email: 'x@mailinator.com',
    });
    await customer.evaluate({ ...known, action: 'login', fingerprint: phone, outcome: 'failed' });
    await customer.ask('/v2/user/ada/update', { phone: '+4915112345678' });
    const test = customerOf(service, shop.project, 'test');
    await test.evaluate({ ...known, action: 'login', fingerprint: strange });
    await resealAll(service.service);
    await makeInvitation(service.service, { email: 'cid@shop.example', access: { role: 'owner' } });
    await shop.post('/members', { email: 'joan@shop.example', role: 'analyst' });
    await shop.post('/views', { list: 'evaluations', filter: 'address_kind=vpn&matched_by=facets', name: 'Views' });
    await shop.post('/evaluations/export', { format: 'csv', address_kind: 'vpn' });
    const id = await shop.userIdOf('bob');
    const actions = [{ action: 'list_user', effect: 'review' }, { action: 'suspend' }, { action: 'activate' }];
    for (const fields of actions) {
      await shop.post('/actions', { source: 'users', id, confirmed: randomUUID(), ...fields });
    }
    await shop.post(`/users/${id}/export`);
    const [device] = (await customer.get('/v2/user/ada/devices')).body.data;
    for (const act of ['trust', 'distrust', 'detach', 'block', 'unblock'])
      await shop.post(`/devices/${device._id}/${act}`);
    await customer.ask(`/v2/device/${device._id}/disown`);
    const [evaluation] = (await customer.get('/v2/evaluations?action=login')).body.data;
    await shop.post(`/evaluations/${evaluation.evaluation_id}/feedback`, { label: 'fraud' });
  }

  const rawNames = async (path: string) => {
    const { html, status } = await shop.visitor.get(path);
    expect(status, path).toBe(200);
    const text = html.replaceAll(/<(script|style|code|textarea|pre)\b.*?<\/\1>/gs, ' ').replaceAll(/<[^>]+>/g, ' ');
    return [...new Set(text.match(rawName) ?? [])].map((name) => {
      const at = text.indexOf(name);
      return `${path.replace(shop.base, '')} ${name}: ${text.slice(Math.max(0, at - 60), at + 40).replaceAll(/\s+/g, ' ')}`;
    });
  };

  test('are not the names of the API', async () => {
    const linked = async (list: string, section = list) => {
      const { html } = await shop.shown(`/${list}`);
      const paths = [...html.matchAll(new RegExp(`href="([^"]+/${section}/[0-9a-f-]{36})"`, 'g'))];
      return [...new Set(paths.map(([, path = '']) => path))];
    };
    const lists = ['overview', 'users', 'devices', 'challenges', 'evaluations', 'review', 'review/labels', 'lists'];
    const others = [
      'rules',
      'rules/finder',
      'webhooks',
      'keys',
      'members',
      'audit',
      'views?list=evaluations',
      'users/clusters',
    ];
    const subjects = [`subjects/address?value=${elsewhere}`, 'subjects/email_domain?value=mail.example'];
    const pages = [
      ...[...lists, ...others, ...subjects].map((name) => `${shop.base}/${name}`),
      ...(await linked('evaluations')),
      ...(await linked('devices')),
      ...(await linked('users')),
      ...(await linked('challenges')),
      ...(await linked('review')),
      ...['/dashboard/audit', '/dashboard/members', '/dashboard/account'],
    ];
    const found = (await Promise.all(pages.map(rawNames))).flat();
    expect(found).toEqual([]);
  });

  test('of the audit log name what an entry is about, with a link that works', async () => {
    const { html, text } = await shop.visitor.get('/dashboard/audit');
    const links = [...html.matchAll(/<li><a href="([^"]+)">(\w+)<\/a><\/li>/g)];
    expect(new Set(links.map(([, , name]) => name))).toEqual(new Set(['user', 'device', 'evaluation', 'action']));
    for (const path of new Set(links.map(([, path = '']) => path))) {
      const page = await shop.visitor.get(path);
      expect([path, page.status]).toEqual([path, 200]);
    }
    expect(text).toContain('purpose: invitation');
    expect(text).toContain('list: Email domain effect: review');
    expect(text).toContain('action: list user');
    expect(text).toContain('default → challenge and restrict');
  });
});
