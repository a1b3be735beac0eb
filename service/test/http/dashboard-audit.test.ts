import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  addEndpoint,
  auditRetentionDays,
  changeSettings,
  createKey,
  dayMs,
  recordFailedSignIn,
  removeMemberByEmail,
  removeOldRows,
  resealAll,
  revokeKey,
  rotateSecret,
  rotateSigningKeys,
} from '../../src/testing.js';
import { administratorAt, adminOf, memberAt, password } from '../support/admin.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { submitForm } from '../support/forms.js';
import { startService, type TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';

describeDatabases('the audit log', (kind) => {
  let service: TestService;
  let reader: Visitor;
  let email: string;
  beforeAll(async () => {
    service = await startService({ database: kind, environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
    reader = await administratorAt(service.url, service.service, 'reader@example.com');
  });
  afterAll(() => service.close());
  beforeEach(() => {
    email = `${randomUUID()}@example.com`;
  });

  /** Returns the entries of the page, one per line. */
  const shown = async (query = '') => {
    const { html } = await reader.get(`/dashboard/audit${query}`);
    return [...html.matchAll(/<tr role="row"><td.*?<\/tr>/gs)].map(([row]) =>
      row
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  };
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  test('records sign-ins, sign-outs and password changes, with the account and network', async () => {
    const admin = await adminOf(service, email);
    const visitor = visitorOf(service);
    await visitor.get('/dashboard/sign-in');
    await visitor.submit('sign-in', { email, password: 'not the password' }, from('198.51.100.20'));
    await visitor.get('/dashboard/sign-in');
    await visitor.submit('sign-in', { email, password }, from('198.51.100.21'));
    expect((await shown('?kind=sign_in_failed'))[0]).toMatch(
      new RegExp(`Sign-in failed nobody 198.51.100.20 account: ${email}$`),
    );
    expect((await shown('?kind=signed_in'))[0]).toMatch(new RegExp(`Signed in ${email} 198.51.100.21 –$`));
    await admin.get('/dashboard/account');
    await admin.submit('password', { current: 'wrong', next: 'another horse, another battery' });
    await admin.submit('password', { current: password, next: 'another horse, another battery' });
    expect((await shown())[0]).toMatch(new RegExp(`Sessions ended ${email} 2001:.* count: 1$`));
    expect((await shown())[1]).toMatch(new RegExp(`Password changed ${email}`));
    expect((await shown('?kind=sign_in_failed'))[0]).toMatch(
      new RegExp(`Sign-in failed ${email} .* at: change of password$`),
    );
    await admin.get('/dashboard/account');
    await admin.submit('sign-out');
    expect((await shown())[0]).toMatch(new RegExp(`Signed out ${email}`));
  });

  test('stores no input for unknown accounts, and limits their entries', async () => {
    const visitor = visitorOf(service);
    await visitor.get('/dashboard/sign-in');
    await visitor.submit('sign-in', { email, password: 'my password elsewhere' }, from('198.51.100.22'));
    expect((await shown('?kind=sign_in_failed'))[0]).toMatch(/nobody 198.51.100.22 account: unknown$/);
    const rows = await service.db.selectFrom('audit_log').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${email}|elsewhere`));
    const failed = { adminId: undefined, network: '198.51.100.23' };
    for (let times = 0; times < 1010; times++) await recordFailedSignIn(service.db, service.service, failed);
    const strangers = service.db
      .selectFrom('audit_log')
      .where('kind', '=', 'sign_in_failed')
      .where('admin_id', 'is', null);
    expect(await strangers.selectAll().execute()).toHaveLength(1000);
  });

  test('records links, their purpose and their use', async () => {
    await adminOf(service, email);
    const details = (purpose: string) => `role: owner email: .\\*\\*\\*@e\\*+\\.com purpose: ${purpose}`;
    expect((await shown('?kind=link_created'))[0]).toMatch(new RegExp(`command line – ${details('invitation')}$`));
    expect((await shown('?kind=link_used'))[0]).toMatch(new RegExp(`${email} 2001:\\S+ purpose: invitation$`));
    expect((await shown('?kind=member_added'))[0]).toContain(email);
    await adminOf(service, email);
    expect((await shown('?kind=link_created'))[0]).toMatch(new RegExp(`account: ${email} purpose: new password$`));
    expect((await shown('?kind=password_reset'))[0]).toContain(email);
    expect((await shown('?kind=sessions_ended'))[0]).toContain(email);
    expect((await shown('?kind=signed_in'))[0]).toMatch(new RegExp(`${email} 2001:\\S+ by: link$`));
  });

  test('ends all other sessions with a button, and records it', async () => {
    const [one, other] = [await adminOf(service, email), visitorOf(service)];
    await other.get('/dashboard/sign-in');
    await other.submit('sign-in', { email, password });
    await one.get('/dashboard/account');
    const done = await one.submitAndFollow('sessions');
    expect(done.text).toContain('You were signed out of all other browsers.');
    expect((await one.get('/dashboard/account')).status).toBe(200);
    expect((await other.get('/dashboard/account')).status).toBe(303);
    expect((await shown('?kind=sessions_ended'))[0]).toMatch(new RegExp(`${email} .* count: 1$`));
  });

  test('records changes of keys, webhooks and settings, without secrets', async () => {
    const { project } = await service.newProject();
    const which = { project: project.id, mode: 'live' } as const;
    expect((await shown('?kind=project_created'))[0]).toContain(`command line – project: ${project.name}`);
    const key = await createKey(service.service, { ...which, kind: 'secret' });
    expect((await shown())[0]).toMatch(
      new RegExp(`Key created command line – .*sk_live_…${key.slice(-4)} \\(evaluate\\)$`),
    );
    const { id, secret } = await addEndpoint(service.service, { ...which, url: 'http://127.0.0.1:1/?token=hidden' });
    const rotated = await rotateSecret(service.service, { ...which, endpoint: id, keepOldForHours: 0 });
    expect((await shown())[0]).toMatch(/Webhook secret rotated command line .* http:\/\/127.0.0.1:1\/ \(live\)$/);
    await changeSettings(service.service, { ...which, changes: { learning_days: 3 }, changedBy: 'command line' });
    expect((await shown('?kind=settings_changed'))[0]).toContain('learning_days : 0 → 3');
    const rows = JSON.stringify(await service.db.selectFrom('audit_log').selectAll().execute());
    for (const hidden of [key, secret, rotated.secret, 'hidden']) expect(rows).not.toContain(hidden);
    const [row] = await service.db.selectFrom('api_keys').select('id').orderBy('id', 'desc').limit(1).execute();
    await revokeKey(service.service, { project: project.id, key: row?.id ?? '' });
    expect((await shown())[0]).toMatch(/Key revoked command line/);
  });

  test('records rotated signing keys and resealed values', async () => {
    const { project } = await service.newProject();
    const [rotated] = await rotateSigningKeys(service.service, { project: project.id });
    expect((await shown('?kind=signing_key_rotated'))[0]).toMatch(
      new RegExp(`Signing key rotated command line – project: ${project.name} ${rotated?.kid}$`),
    );
    await resealAll(service.service);
    expect((await shown('?kind=secrets_resealed'))[0]).toMatch(
      /Stored secrets resealed command line – rows: 0 unreadable: 0$/,
    );
  });

  test('records actions on a user, and forgets the user after erasure', async () => {
    const customer = customerOf(service, await service.newProject());
    const { device_id } = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop, ip: home });
    const base = `/dashboard/${(await service.db.selectFrom('projects').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id}/live`;
    await reader.get(`${base}/devices/${device_id}`);
    await reader.submit('block');
    expect((await shown('?kind=block'))[0]).toMatch(
      /Device blocked reader@example.com \S+ project: Shop \S+ status: attached → blocked device$/,
    );
    const listed = () => reader.get('/dashboard/audit?kind=block');
    expect((await listed()).html).toContain(`${base}/devices/${device_id}`);
    await customer.ask('/v2/user/ann/delete');
    expect((await listed()).html).not.toContain(device_id);
    expect((await shown('?kind=block'))[0]).toMatch(/Device blocked reader@example.com \S+ project/);
  });

  test('records removed members, with a masked email address', async () => {
    await adminOf(service, email);
    await removeMemberByEmail(service.service, email);
    expect((await shown())[0]).toMatch(
      /Member removed command line – account: [0-9a-f-]{36} role: owner → none email: .\*\*\*@e\*+\.com$/,
    );
    expect((await shown('?kind=signed_in')).join(' ')).not.toContain(email);
  });

  test('is downloaded whole by owners, and in part by administrators of a project', async () => {
    const [{ project }, other] = [await service.newProject(), await service.newProject()];
    const member = { email: `member-${email}`, role: 'administrator', projectId: project.id } as const;
    const administrator = await memberAt(service.url, service.service, member);
    const download = async (visitor: Visitor, path: string) => {
      const page = await submitForm(visitor, await visitor.get(path), '/audit/export');
      expect(page.headers.get('Content-Disposition')).toMatch(/^attachment; filename="audit-log-[\d-]{10}.ndjson"$/);
      return page.html
        .trimEnd()
        .split('\n')
        .map((line): Record<string, unknown> => JSON.parse(line));
    };
    const part = await download(administrator, `/dashboard/${project.id}/live/audit`);
    expect(new Set(part.map(({ project_id }) => project_id))).toEqual(new Set([project.id]));
    // The download itself is recorded before it begins.
    expect(part.at(-1)).toMatchObject({ kind: 'audit_exported', actor: 'administrator' });
    const all = await download(reader, '/dashboard/audit');
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.at(-1)).toMatchObject({ kind: 'audit_exported', project_id: null });
    await administrator.get('/dashboard/account');
    expect((await administrator.post(`/dashboard/${other.project.id}/live/audit/export`)).status).toBe(404);
    await administrator.get('/dashboard/account');
    expect((await administrator.post('/dashboard/audit/export')).text).toContain('Only an owner');
  });

  test('is paginated, also by kind, and is deleted after 400 days', async () => {
    const { project } = await service.newProject();
    for (let days = 1; days <= 60; days++) {
      const changes = { learning_days: days };
      await changeSettings(service.service, { project: project.id, changes, changedBy: 'command line' });
    }
    const seen = [];
    let next: string | undefined = '/dashboard/audit?kind=settings_changed';
    while (next && seen.length < 60) {
      const { html } = await reader.get(next);
      seen.push(...[...html.matchAll(/learning_days<\/code>: \d+ → (\d+)/g)].map(([, to]) => Number(to)));
      next = /href="([^"]*before=[^"]*)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_each, index) => 60 - index));
    expect((await reader.get('/dashboard/audit?kind=nonsense')).status).toBe(200);
    service.clock.advance((auditRetentionDays + 1) * dayMs);
    await removeOldRows(service.service);
    expect(await service.db.selectFrom('audit_log').selectAll().execute()).toEqual([]);
  });
});
