import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { minuteMs } from '../../src/testing.js';
import { adminOf, password } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { submitForm } from '../support/forms.js';
import { startService, type TestService } from '../support/service.js';
import { type SeenPage, type Visitor, visitorOf } from '../support/visitor.js';

const path = '/dashboard/account/second-factor';
const stepMs = minuteMs / 2;

describeDatabases('the second factor of the dashboard', (kind) => {
  let service: TestService;
  let email: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(() => {
    email = `${randomUUID()}@example.com`;
  });

  const locationOf = ({ headers }: SeenPage) => headers.get('Location');
  const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(service.clock.now().getTime() / 1000) });
  const nextStep = () => service.clock.advance(stepMs);
  /** Submits the form for the password. */
  const enterPassword = async (visitor: Visitor) => {
    await visitor.get('/dashboard/sign-in');
    return visitor.submit('sign-in', { email, password });
  };
  /** Opens the form for the second factor, and submits a code. */
  const enterCode = async (visitor: Visitor, code: string) => {
    await visitor.open('/dashboard');
    return visitor.submit('second-factor', { code });
  };
  const isIn = async (visitor: Visitor) => (await visitor.get('/dashboard/account')).status === 200;

  /** Returns the secret of an authenticator app that was set up, and the recovery codes. */
  async function setUpApp(visitor: Visitor): Promise<{ secret: string; recovery: string[] }> {
    const begun = await submitForm(visitor, await visitor.get(path), '/authenticator', { password });
    const secret = /Key: <code[^>]*>([A-Z2-7 ]+)</.exec(begun.html)?.[1]?.replaceAll(' ', '') ?? '';
    expect(begun.html).toContain('<svg');
    const wrong = await submitForm(visitor, begun, '/confirm', { code: '000000' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This code is wrong.')]);
    const shown = await submitForm(visitor, begun, '/confirm', { code: codeOf(secret) });
    const recovery = [...shown.html.matchAll(/<code>([A-Z2-7-]{19})<\/code>/g)].map(([, code = '']) => code);
    expect(new Set(recovery).size).toBe(10);
    return { secret, recovery };
  }

  test('asks for the code of an app after the password, and accepts each code once', async () => {
    const { secret } = await setUpApp(await adminOf(service, email));
    nextStep();
    const visitor = visitorOf(service);
    await enterPassword(visitor);
    expect(locationOf(await visitor.get('/dashboard/account'))).toBe(
      '/dashboard/second-factor?next=%2Fdashboard%2Faccount',
    );
    const code = codeOf(secret);
    const done = await enterCode(visitor, code);
    expect([done.status, await isIn(visitor)]).toEqual([303, true]);
    const again = visitorOf(service);
    await enterPassword(again);
    expect([(await enterCode(again, code)).status, await isIn(again)]).toEqual([422, false]);
    nextStep();
    expect((await enterCode(again, `${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)}`)).status).toBe(303);
  });

  test('accepts a code of two parallel sign-ins once', async () => {
    const { secret } = await setUpApp(await adminOf(service, email));
    nextStep();
    const visitors = [visitorOf(service), visitorOf(service)];
    for (const visitor of visitors) {
      await enterPassword(visitor);
      await visitor.open('/dashboard');
    }
    const answers = await Promise.all(visitors.map((each) => each.submit('second-factor', { code: codeOf(secret) })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  test('accepts each of ten recovery codes once, and stores only their hashes', async () => {
    const { recovery } = await setUpApp(await adminOf(service, email));
    const rows = await service.db.selectFrom('admin_recovery_codes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(recovery[0]);
    for (const code of recovery.slice(0, 2)) {
      const [visitor, again] = [visitorOf(service), visitorOf(service)];
      await enterPassword(visitor);
      expect((await enterCode(visitor, code.toLowerCase().replaceAll('-', ' '))).status).toBe(303);
      await enterPassword(again);
      expect((await enterCode(again, code)).status).toBe(422);
    }
    const visitor = visitorOf(service);
    await enterPassword(visitor);
    await enterCode(visitor, recovery[2] ?? '');
    expect((await visitor.get(path)).text).toContain('7 of 10 codes are left.');
    const [other] = await service.db
      .selectFrom('audit_log')
      .select('details')
      .where('kind', '=', 'signed_in')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(other?.details).toEqual({ second_factor: 'recovery_code' });
  });

  test('waits after wrong codes, also with right ones, for all sources together', async () => {
    const { secret } = await setUpApp(await adminOf(service, email));
    nextStep();
    const visitor = visitorOf(service);
    await enterPassword(visitor);
    const statuses = [];
    for (let times = 1; times <= 6; times++) statuses.push((await enterCode(visitor, '000000')).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    const other = visitorOf(service);
    await enterPassword(other);
    const locked = await enterCode(other, codeOf(secret));
    expect([locked.status, locked.text]).toEqual([429, expect.stringContaining('Too many wrong codes.')]);
    service.clock.advance(minuteMs);
    expect((await enterCode(other, codeOf(secret))).status).toBe(303);
  });

  test('is also needed after a new password by a link, and within 10 minutes', async () => {
    const { secret } = await setUpApp(await adminOf(service, email));
    nextStep();
    const visitor = await adminOf(service, email);
    expect(await isIn(visitor)).toBe(false);
    service.clock.advance(10 * minuteMs);
    expect(locationOf(await visitor.get('/dashboard'))).toContain('/dashboard/sign-in');
    await enterPassword(visitor);
    expect((await enterCode(visitor, codeOf(secret))).status).toBe(303);
  });

  test('is asked for with a form of the own page only', async () => {
    const { secret } = await setUpApp(await adminOf(service, email));
    nextStep();
    const visitor = visitorOf(service);
    await enterPassword(visitor);
    const code = codeOf(secret);
    await visitor.open('/dashboard');
    expect((await visitor.post('/dashboard/second-factor', { code, csrf: 'AAAA' })).status).toBe(403);
    await visitor.open('/dashboard');
    expect((await visitor.submit('second-factor', { code }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect(await isIn(visitor)).toBe(false);
  });

  test('can be removed with the password, unless the installation requires one', async () => {
    const visitor = await adminOf(service, email);
    await setUpApp(visitor);
    const required = await submitForm(visitor, await visitor.get(path), '/installation/second-factor', {
      required: 'on',
    });
    expect(required.status).toBe(303);
    await submitForm(visitor, await visitor.get(path), '/authenticator/remove');
    expect((await visitor.get(path)).text).toContain('Add another one before you remove this one.');
    // Somebody without one has to set it up first.
    const other = await adminOf(service, `other-${email}`);
    expect(locationOf(await other.get('/dashboard/members'))).toBe(path);
    expect((await other.get(path)).text).toContain('This installation requires a second factor.');
    await setUpApp(other);
    expect((await other.get('/dashboard/members')).status).toBe(200);
    await submitForm(visitor, await visitor.get(path), '/installation/second-factor', { required: undefined });
    await submitForm(visitor, await visitor.get(path), '/authenticator/remove');
    expect((await visitor.get(path)).text).toContain('The authenticator app was removed.');
    const last = visitorOf(service);
    await enterPassword(last);
    expect(await isIn(last)).toBe(true);
  });

  test('is removed by an owner for a member who has lost it, with the password', async () => {
    const member = await adminOf(service, email);
    await setUpApp(member);
    const owner = await adminOf(service, `owner-${email}`);
    const rows = (await owner.get('/dashboard/members')).html;
    const page = new RegExp(`href="([^"]+)" aria-label="Change ${email}"`).exec(rows)?.[1] ?? '';
    const own = new RegExp(`href="([^"]+)" aria-label="Change owner-${email}"`).exec(rows)?.[1] ?? '';
    const refused = await submitForm(owner, await owner.get(page), '/remove-factors');
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Enter your password to continue.')]);
    await submitForm(owner, await owner.get(page), '/remove-factors', { password });
    expect((await owner.get('/dashboard/members')).text).toContain('The second factors were removed.');
    expect(await isIn(member)).toBe(false);
    expect((await enterPassword(visitorOf(service))).headers.get('Location')).toBe('/dashboard');
    const entry = (await owner.get('/dashboard/audit?kind=second_factor_removed')).text;
    expect(entry).toContain(`owner-${email}`);
    expect((await owner.get(page)).html).not.toContain('/remove-factors');
    await owner.post(`${own}/remove-factors`);
    expect((await owner.get('/dashboard/members')).text).toContain('on the page of your account');
  });

  test('stores secrets sealed', async () => {
    const { secret } = await setUpApp(await adminOf(service, email));
    const rows = await service.db.selectFrom('admins').selectAll().execute();
    for (const { totp_secret } of rows) {
      if (totp_secret) expect(Buffer.from(totp_secret).toString('latin1')).not.toContain(secret);
    }
  });
});
