import { once } from 'node:events';
import express from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { whorlExpress } from 'whorl/express';
import { Whorl } from 'whorl/server';
import { serverAdapters } from '../../../scripts/adapters.mjs';
import { sample } from '../../../test/package/samples.js';
import { laptop } from '../support/attacks.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestService } from '../support/service.js';
import { closeServer, urlOf } from '../support/shops.js';
import { type Cookies, post, type Target, targets } from '../support/sign-in-shops.js';

const ip = '198.51.100.7';
const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });
const tablet = fingerprintOf({ seed: 'tablet', descriptor: 'taw18' });
const actions = ['rename', 'detach', 'disown'] as const;

/** One suite for all adapters. The session is better-auth's, and otherwise a header that only the application reads. */
describe.each(serverAdapters)('the devices of a user with whorl/%s', (name) => {
  let service: TestService;
  let whorl: Whorl;
  let target: Target;
  let cookies: Cookies;
  let isDown = false;
  const reach: typeof fetch = (url, init) => (isDown ? Promise.reject(new TypeError('down')) : fetch(url, init));
  beforeAll(async () => {
    service = await startService({ database: 'embedded' });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const project = await service.newProject();
    whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url, retries: 0, fetch: reach });
    isDown = false;
    const create = targets[name];
    if (!create) throw new Error(`There is no target for whorl/${name}.`);
    target = await create({ whorl, whenUnavailable: 'deny' });
    const { close } = target;
    onTestFinished(async () => void (await close()));
    cookies = new Map();
    await sighted(target.user, laptop);
    expect((await target.logIn({ password: 'right', cookies, fields: { fingerprint: laptop } })).code).toBeUndefined();
  });

  /** Makes a device of a user trusted, and returns its ID. */
  async function sighted(user: string, fingerprint: string): Promise<string> {
    service.clock.advance(1000);
    const { device_id: id = '' } = await whorl.evaluate({ action: 'signup', user, fingerprint, ip });
    await whorl.devices.update(id, { whitelisted: true });
    return id;
  }

  const session = () => ({ 'x-user': target.user });
  async function call(route: string, fields: object = {}, headers: Record<string, string> = session()) {
    const response = await post(`${target.routes}/${route}`, fields, headers, cookies);
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') };
  }
  const stateOf = async (user: string, id: string) => {
    const { data } = await whorl.users.devices(user);
    return data.find(({ _id }) => _id === id);
  };

  test('are listed, this one first', async () => {
    const id = await sighted(target.user, phone);
    const { status, body } = await call('devices', { fingerprint: laptop });
    expect(status).toBe(200);
    expect(body.devices).toMatchObject([
      { is_this: true, can_disown: false, kind: 'desktop' },
      { id, is_this: false, can_disown: true, kind: 'mobile' },
    ]);
    expect(Object.keys(body.devices[1]).toSorted()).toEqual([
      'browser',
      'can_disown',
      'id',
      'is_this',
      'kind',
      'last_seen_at',
      'os',
    ]);
    const { devices } = (await call('devices')).body;
    const none = { is_this: false, can_disown: false };
    expect(devices).toMatchObject([none, none]);
  });

  test('can be renamed, signed out and disowned', async () => {
    const id = await sighted(target.user, phone);
    const other = await sighted(target.user, tablet);
    expect(await call('rename', { device: id, name: ' Ann’s phone ' })).toEqual({
      status: 200,
      body: { success: true },
    });
    expect(await stateOf(target.user, id)).toMatchObject({ name: 'Ann’s phone' });
    await call('rename', { device: id, name: '' });
    expect(await stateOf(target.user, id)).not.toHaveProperty('name');
    expect(await call('rename', { device: id, name: 'x'.repeat(65) })).toMatchObject({ body: { code: 'wrong_name' } });
    expect((await call('detach', { device: id })).status).toBe(200);
    expect((await call('disown', { device: other, fingerprint: laptop })).status).toBe(200);
    expect([await stateOf(target.user, id), await stateOf(target.user, other)]).toMatchObject([
      { status: 'detached' },
      { status: 'blocked' },
    ]);
    expect((await call('devices')).body.devices).toHaveLength(1);
  });

  test('cannot be disowned by a browser that is not older, but signed out', async () => {
    const newer = await sighted(target.user, phone);
    const [{ id: older }] = (await call('devices', { fingerprint: laptop })).body.devices;
    // A stolen session: from the thief's own new browser, from one that is in no list, and without a fingerprint.
    for (const fields of [{ fingerprint: phone }, { fingerprint: tablet }, {}, { fingerprint: 'w1.unreadable' }]) {
      const { status, body } = await call('disown', { ...fields, device: older });
      expect([fields, status, body.code]).toEqual([fields, 403, 'older_device']);
    }
    for (const own of [newer, older]) {
      const fingerprint = own === newer ? phone : laptop;
      expect((await call('disown', { fingerprint, device: own })).status).toBe(403);
    }
    expect(await stateOf(target.user, older)).toMatchObject({ status: 'attached', trusted: true });
    expect((await call('detach', { device: older })).status).toBe(200);
    expect(await stateOf(target.user, older)).toMatchObject({ status: 'detached' });
  });

  test.each(actions)('of another user cannot be changed: %s', async (route) => {
    const id = await sighted('bob', phone);
    const before = await stateOf('bob', id);
    for (const fields of [
      { device: id },
      { device: id, user: 'bob' },
      { device: id, user: 'bob', external_user: 'bob' },
    ]) {
      expect(await call(route, { ...fields, name: 'Mine', fingerprint: laptop })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
    expect(await stateOf('bob', id)).toEqual(before);
  });

  test.each(['../users', 'unknown', '', 7, null, {}])('that do not exist are not found: %j', async (device) => {
    for (const route of actions) expect((await call(route, { device })).status).toBe(404);
  });

  test('the list is that of the session, whatever the body says', async () => {
    await sighted('bob', phone);
    const { body } = await call('devices', { user: 'bob', id: 'bob', email: 'bob' });
    expect(body.devices).toHaveLength(1);
  });

  test('need a session', async () => {
    const id = await sighted(target.user, phone);
    cookies.clear();
    for (const route of ['devices', ...actions]) {
      const { status, body } = await call(route, { device: id, user: target.user }, {});
      expect([route, status, body.code]).toEqual([route, 401, 'not_logged_in']);
    }
    expect(await stateOf(target.user, id)).toMatchObject({ status: 'attached' });
  });

  test('are not told to pages of other origins', async () => {
    const id = await sighted(target.user, phone);
    for (const route of ['devices', ...actions]) {
      const foreign = { ...session(), origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' };
      expect([route, (await call(route, { device: id }, foreign)).status]).toEqual([route, 403]);
    }
    expect(await stateOf(target.user, id)).toMatchObject({ status: 'attached' });
  });

  test('are not changed by GET', async () => {
    const id = await sighted(target.user, phone);
    const cookie = [...cookies].map((each) => each.join('=')).join('; ');
    for (const route of actions)
      await fetch(`${target.routes}/${route}?device=${id}`, { headers: { ...session(), cookie } });
    expect(await stateOf(target.user, id)).toMatchObject({ status: 'attached' });
  });

  test('answer 503 if the service is unavailable', async () => {
    isDown = true;
    expect((await call('devices')).status).toBe(503);
  });
});

test('the sample of docs/devices-page.md', async () => {
  const service = await startService({ database: 'embedded' });
  onTestFinished(() => service.close());
  const project = await service.newProject();
  const client = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url });
  await client.evaluate({ action: 'signup', user: 'ann', fingerprint: laptop, ip });
  const app = express();
  app.use((request, _response, next) => next(void Object.assign(request, { session: { userId: 'ann' } })));
  const mount = new Function('app', 'whorl', sample('docs/devices-page.md, On the server, 1').code);
  mount(app, whorlExpress({ whorl: client, whenUnavailable: 'deny' }));
  const server = app.listen(0);
  onTestFinished(async () => void (await closeServer(server)));
  await once(server, 'listening');
  const response = await post(`${urlOf(server)}/whorl/devices`, { fingerprint: laptop }, {}, new Map());
  expect(await response.json()).toMatchObject({ devices: [{ is_this: true }] });
});
