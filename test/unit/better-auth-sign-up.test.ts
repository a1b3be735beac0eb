import type { BetterAuthOptions } from 'better-auth';
import { describe, expect, test } from 'vitest';
import { Application, Browser, newStores, startService } from './better-auth-harness.js';

const email = 'ann@example.com';

/** With and without a session after the sign-up: it is evaluated at another time. */
const settings: readonly [string, BetterAuthOptions][] = [
  ['that starts a session', {}],
  ['that starts none', { emailAndPassword: { enabled: true, autoSignIn: false } }],
];

describe.each(settings)('a sign-up %s', (_name, setting) => {
  async function start() {
    const service = await startService();
    service.verdict = 'challenge';
    const stores = newStores();
    const [first, second] = [1, 2].map(() => new Application(service, stores, setting));
    if (!first || !second) throw new Error('There are two processes.');
    return { service, first, second, stores, users: () => stores.tables.user?.map(({ id }) => `signup ${id}`) };
  }

  test('that was refused is one of the same user in every process, and creates the account there', async () => {
    const { service, first, second, users } = await start();
    const browser = new Browser('laptop');
    expect((await browser.signUp(first, email)).body.code).toBe('challenge_required');
    expect((await browser.signUp(second, email.toUpperCase())).body.code).toBe('challenge_required');
    expect(users()).toEqual([]);
    service.verdict = 'allow';
    expect((await browser.signUp(second, email)).status).toBe(200);
    expect(new Set(service.evaluated)).toEqual(new Set(users()));
    expect(service.evaluated).toHaveLength(3);
  });

  test('with another email address, or in another browser, is one of another user', async () => {
    const { service, first } = await start();
    const browser = new Browser('laptop');
    await browser.signUp(first, email);
    await browser.signUp(first, 'bob@example.com');
    await new Browser('laptop').signUp(first, email);
    expect(new Set(service.evaluated).size).toBe(3);
  });

  test('with the former email address of the account that it became is one of another user', async () => {
    const { service, first, stores } = await start();
    const browser = new Browser('laptop');
    await browser.signUp(first, email);
    service.verdict = 'allow';
    expect((await browser.signUp(first, email)).status).toBe(200);
    Object.assign(stores.tables.user?.[0] ?? {}, { email: 'new@example.com' });
    expect((await browser.signUp(first, email)).status).toBe(200);
    expect(new Set(stores.tables.user?.map(({ id }) => id)).size).toBe(2);
  });
});
