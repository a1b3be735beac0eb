import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isExampleInstalled } from '../../scripts/example-packages.mjs';
import { chromium } from './harness/chromium';
import type { BrowserSession, Passkey, TestPage } from './harness/types';
import { click, type DemoServer, shows } from './support/demo';
import { type OpenedExample, openExample } from './support/examples';

const isAvailable = chromium.available() && isExampleInstalled('better-auth');

describe.skipIf(!isAvailable)("better-auth's own passkeys (examples/better-auth)", () => {
  let example: OpenedExample;
  let demo: DemoServer;
  let secret: string;
  let session: BrowserSession;
  let shop: string;
  beforeAll(async () => {
    example = await openExample('better-auth');
    ({ demo, secret, session, shop } = example);
  });
  afterAll(() => example?.close());

  async function call(path: string, change?: object) {
    const response = await fetch(demo.serviceUrl + path, {
      method: change ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(change && { body: JSON.stringify(change) }),
    });
    expect(response.ok).toBe(true);
    return response.json();
  }

  /** Signs up without a fingerprint, because another profile of this browser is the same device, and adds a passkey. */
  async function createAccount(): Promise<{ id: string; email: string; passkeys: Passkey[] }> {
    const email = `ann-${randomUUID()}@example.com`;
    const page = await session.open(`${shop}/`);
    const authenticator = await page.addAuthenticator?.();
    const id = await page.evaluate(
      async (fields) => {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(fields) };
        return (await (await fetch('/api/auth/sign-up/email', init)).json()).user.id;
      },
      { name: 'Ann', email, password: 'correct horse' },
    );
    await page.evaluate("document.getElementById('add').click()");
    await shows(page, /The passkey was added/);
    const passkeys = (await authenticator?.passkeys()) ?? [];
    await page.close();
    return { id, email, passkeys };
  }

  /** Logs in with the passkey in a browser that the account has never used. */
  async function logInElsewhere(passkeys: readonly Passkey[], check: (page: TestPage) => Promise<unknown>) {
    const others = await session.separate?.();
    const page = await others?.open(`${shop}/`);
    if (!others || !page) throw new Error('There is no second browser.');
    await page.addAuthenticator?.(passkeys);
    await shows(page, /Sign up/);
    await click(page, 'Log in with a passkey');
    await check(page);
    await others.close();
  }

  test('take the place of the code on a new device, and the challenge says so', async () => {
    const { id, email, passkeys } = await createAccount();
    expect(passkeys).toHaveLength(1);
    await logInElsewhere(passkeys, (page) => shows(page, new RegExp(`Hello, ${email}`)));
    const { data: challenges } = await call('/v2/challenges');
    const ofUser = challenges.filter(({ user }: { user: { external_id: string } }) => user.external_id === id);
    expect(ofUser).toHaveLength(1);
    expect(await call(`/v2/challenges/${ofUser[0]._id}`)).toMatchObject({
      status: 'completed',
      reasons: expect.arrayContaining(['new_device']),
      verified_by: 'passkey',
    });
    const { data: logins } = await call(`/v2/evaluations?user=${id}&action=login`);
    expect(logins).toHaveLength(1);
    expect(await call(`/v2/evaluations/${logins[0].evaluation_id}`)).toMatchObject({ methods: ['passkey'] });
  });

  test('let nobody in who is suspended', async () => {
    const { id, passkeys } = await createAccount();
    await call(`/v2/user/${id}/update`, { status: 'suspended' });
    await logInElsewhere(passkeys, async (page) => {
      await shows(page, /Refused\./);
      expect(await page.evaluate("document.getElementById('title').textContent")).toBe('Shop');
    });
  });
});
