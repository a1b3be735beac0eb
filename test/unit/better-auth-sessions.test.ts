import { describe, expect, test } from 'vitest';
import { Application, Browser, kinds, newStores, password, startService } from './better-auth-harness.js';

const email = 'ann@example.com';

describe.each(Object.entries(kinds))('sessions in %s', (_kind, settingsFor) => {
  /** Returns an application with a user whose laptop is signed in. */
  async function start(options: ConstructorParameters<typeof Application>[3] = {}, session: object = {}) {
    const service = await startService();
    const stores = newStores();
    const settings = settingsFor(stores);
    const merged = { ...settings, session: { ...settings.session, ...session } };
    const application = new Application(service, stores, merged, options);
    const laptop = new Browser('laptop');
    const { id } = (await laptop.signUp(application, email)).body.user;
    /** Signs in on another device. */
    const signIn = async (name: string) => {
      const browser = new Browser(name);
      expect((await browser.signIn(application, email)).status).toBe(200);
      return browser;
    };
    return { service, stores, application, laptop, id, signIn };
  }

  const deviceOf = (id: string, name: string) => ({ device: { _id: `${name}-${id}` } });

  test('a new password that ends other sessions keeps the device of the session, which still ends it', async () => {
    const { application, laptop, id, signIn } = await start();
    const phone = await signIn('phone');
    const newPassword = 'another right password';
    const change = { currentPassword: password, newPassword, revokeOtherSessions: true };
    expect((await laptop.post(application, '/change-password', change)).status).toBe(200);
    expect([await laptop.user(application), await phone.user(application)]).toEqual([email, undefined]);
    const again = await new Browser('phone').post(application, '/sign-in/email', { email, password: newPassword });
    expect(again.status).toBe(200);
    expect(await application.receive('device.detached', deviceOf(id, 'laptop'))).toBe(204);
    expect(await laptop.user(application)).toBeUndefined();
  });

  test('a second factor that is switched on and off keeps the device', async () => {
    const { application, laptop, id } = await start();
    for (const path of ['/two-factor/enable', '/two-factor/disable']) {
      expect((await laptop.post(application, path, { password })).status).toBe(200);
      expect(await laptop.user(application)).toBe(email);
    }
    expect(await application.receive('device.detached', deviceOf(id, 'laptop'))).toBe(204);
    expect(await laptop.user(application)).toBeUndefined();
  });

  test('an impersonation ends with the device of the administrator', async () => {
    const { stores, application, laptop, id, signIn } = await start();
    const admin = new Browser('desk');
    const { id: adminId } = (await admin.signUp(application, 'admin@example.com')).body.user;
    Object.assign(stores.tables.user?.find((user) => user.id === adminId) ?? {}, { role: 'admin' });
    await admin.signIn(application, 'admin@example.com');
    expect((await admin.post(application, '/admin/impersonate-user', { userId: id })).status).toBe(200);
    expect(await admin.user(application)).toBe(email);
    expect(await application.receive('device.detached', deviceOf(adminId, 'desk'))).toBe(204);
    expect(await admin.user(application)).toBeUndefined();
    expect(await laptop.user(application)).toBe(email);
    expect(await (await signIn('phone')).user(application)).toBe(email);
  });

  test('a detached device loses all of its sessions, and no other does', async () => {
    const { application, laptop, id, signIn } = await start();
    const phone = await signIn('phone');
    const { token } = (await laptop.signIn(application, email)).body;
    expect(token).toBeDefined();
    expect(await application.receive('device.detached', deviceOf(id, 'laptop'))).toBe(204);
    expect([await laptop.user(application), await phone.user(application)]).toEqual([undefined, email]);
  });

  test('a session that was renewed is one of its device', async () => {
    const { application, laptop, id } = await start({}, { updateAge: 0 });
    expect([await laptop.user(application), await laptop.user(application)]).toEqual([email, email]);
    expect(await application.receive('device.detached', deviceOf(id, 'laptop'))).toBe(204);
    expect(await laptop.user(application)).toBeUndefined();
  });

  test('"This was not me" ends all sessions of the user, with and without a device', async () => {
    for (const device of [undefined, 'laptop']) {
      const { application, laptop, id, signIn } = await start();
      const phone = await signIn('phone');
      const other = new Browser('laptop');
      await other.signUp(application, 'bob@example.com');
      const user = { _id: 'u', external_id: id };
      const data = { user, ...(device !== undefined && deviceOf(id, device)) };
      expect(await application.receive('device.disowned', data)).toBe(204);
      const users = [laptop, phone, other].map((browser) => browser.user(application));
      expect(await Promise.all(users)).toEqual([undefined, undefined, 'bob@example.com']);
    }
  });

  test('"This was not me" ends the sessions of a user with an ID of the application', async () => {
    const { application, laptop, signIn } = await start({
      attempt: (standard, user) => standard && { ...standard, user: user.email },
      deviceUser: (user) => user.email,
    });
    const phone = await signIn('phone');
    const user = { _id: 'u', external_id: email };
    expect(await application.receive('device.disowned', { user })).toBe(204);
    expect([await laptop.user(application), await phone.user(application)]).toEqual([undefined, undefined]);
  });

  test('250 sessions of a device end', async () => {
    const { application, laptop, id, signIn } = await start();
    const phone = await signIn('phone');
    const browsers = [laptop];
    for (let count = 1; count < 250; count++) browsers.push(await signIn('laptop'));
    expect(await application.receive('device.detached', deviceOf(id, 'laptop'))).toBe(204);
    const users = new Set(await Promise.all(browsers.map((browser) => browser.user(application))));
    expect([...users, await phone.user(application)]).toEqual([undefined, email]);
  });

  test('`detachOnSignOut` detaches the devices of the sessions that a user ends', async () => {
    const { service, application, laptop, id, signIn } = await start({ detachOnSignOut: true });
    const devices = (...names: string[]) => names.map((name) => `${name}-${id}`);
    const ended = () => service.detached.splice(0).sort();
    await (await signIn('phone')).post(application, '/sign-out');
    expect(ended()).toEqual(devices('phone'));
    const token = await (await signIn('tablet')).token(application);
    await laptop.post(application, '/revoke-session', { token });
    expect(ended()).toEqual(devices('tablet'));
    await Promise.all(['watch', 'car'].map(signIn));
    await laptop.post(application, '/revoke-other-sessions');
    expect(ended()).toEqual(devices('car', 'watch'));
    await signIn('glasses');
    await laptop.post(application, '/revoke-sessions');
    expect(ended()).toEqual(devices('glasses', 'laptop'));
    expect(await laptop.user(application)).toBeUndefined();
  });

  test('a sign-out does not detach without the option', async () => {
    const { service, application, laptop } = await start();
    expect((await laptop.post(application, '/sign-out')).status).toBe(200);
    expect(service.detached).toEqual([]);
  });
});
