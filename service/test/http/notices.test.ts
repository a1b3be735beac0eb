import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jobHandlers } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const all = { mail_new_device: true, mail_contact_changed: true, mail_denied_attempt: true };

describeDatabases('mails to users', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let reader: Visitor;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await open(all);
    reader = visitorOf(service);
  });

  async function open(settings: Readonly<Record<string, unknown>>): Promise<void> {
    project = await service.newProject(settings);
    customer = customerOf(service, project);
  }

  /** Runs the jobs that wait, and returns the addresses and subjects of the mails. */
  async function send(): Promise<string[]> {
    const { send_notice } = jobHandlers(service.service);
    const jobs = await service.db.deleteFrom('jobs').where('name', '=', 'send_notice').returningAll().execute();
    for (const { data } of jobs) {
      const { worldId = '', noticeId = '', to } = Object(data);
      await send_notice({ worldId, noticeId, to });
    }
    return service.mails.splice(0).map((mail) => {
      mails.push(mail);
      return `${mail.to}: ${mail.subject.replace(/Shop \S+/, 'Shop')}`;
    });
  }
  const mails: { text: string; html: string }[] = [];
  const linkOf = (at = -1) => /\/n\/account\/[\w-]{59}/.exec(mails.at(at)?.text ?? '')?.[0] ?? '';

  const eventsOf = async (type: string) => (await service.events(project)).filter((event) => event.type === type);
  const login = (more: object = {}) =>
    customer.evaluate({
      action: 'login',
      user: 'ann',
      fingerprint: laptop,
      ip: home,
      email: 'ann@example.com',
      ...more,
    });
  async function trust(more: object = {}): Promise<string> {
    const { challenge_id, device_id } = await login(more);
    await customer.ask(`/v2/challenges/${challenge_id}/complete`);
    return device_id;
  }
  const update = (body: object) => customer.ask('/v2/user/ann/update', body);
  const statusOf = async (id: string) =>
    (await customer.get('/v2/user/ann/devices')).body.data.find(({ _id }: { _id: string }) => _id === id).status;

  describe('about a new device', () => {
    test('name the device and have a link', async () => {
      await trust();
      expect(await send()).toEqual(['ann@example.com: New device in your Shop account']);
      expect(mails.at(-1)?.text).toMatch(
        /Device: .*Time: \d\d:\d\d UTC.*\n\n.*7 days: https:\/\/fraud\.example\/n\/account\//s,
      );
    });

    test('are in the language of the user', async () => {
      await update({ metadata: { language: 'de' } });
      await trust();
      expect(await send()).toEqual(['ann@example.com: Neues Gerät in Ihrem Konto bei Shop']);
    });

    test('are not sent for a device that was trusted before', async () => {
      await trust();
      await send();
      await trust({ ip: elsewhere });
      expect(await send()).toEqual([]);
    });
  });

  describe('about a changed contact', () => {
    beforeEach(() => update({ email: 'ann@example.com', phone: '+4915112345678' }));

    test('go to both addresses', async () => {
      await update({ email: 'new@example.com' });
      const subject = 'Contact details of your Shop account changed';
      expect(await send()).toEqual([`new@example.com: ${subject}`, `ann@example.com: ${subject}`]);
      expect(mails.at(-1)?.text).toContain('until recently');
    });

    test('go to the oldest address for 72 hours, whatever follows', async () => {
      await update({ email: 'second@example.com' });
      await send();
      service.clock.advance(71 * hourMs);
      await update({ email: 'third@example.com' });
      expect((await send()).map((mail) => mail.split(':')[0])).toEqual([
        'third@example.com',
        'ann@example.com',
        'second@example.com',
      ]);
      await trust();
      expect(await send()).toHaveLength(2);
      service.clock.advance(hourMs);
      await trust({ fingerprint: phone });
      expect(await send()).toHaveLength(1);
    });

    test('are sent for a phone number and a removed address', async () => {
      await update({ phone: '+4915187654321' });
      expect(await send()).toHaveLength(1);
      await update({ email: null });
      expect((await send()).map((mail) => mail.split(':')[0])).toEqual(['ann@example.com']);
    });

    test('are not sent for a first contact, or the same one', async () => {
      await customer.ask('/v2/user/bob/update', { email: 'bob@example.com' });
      await update({ email: 'ann@example.com' });
      expect(await send()).toEqual([]);
    });

    test('the former address is deleted after 72 hours', async () => {
      await update({ email: 'second@example.com' });
      service.clock.advance(73 * hourMs);
      await jobHandlers(service.service).remove_old_rows({});
      const rows = await service.db.selectFrom('users').select(['external_id', 'former_email']).execute();
      expect(rows.filter(({ former_email }) => former_email !== null)).toEqual([]);
    });
  });

  describe('about a denied login', () => {
    test('are sent after the right password only', async () => {
      const id = await trust();
      await customer.ask(`/v2/device/${id}/update`, { status: 'blocked' });
      await send();
      expect(await login({ outcome: 'failed' })).toMatchObject({ verdict: 'deny' });
      expect(await login({ action: 'payment' })).toMatchObject({ verdict: 'deny' });
      expect(await send()).toEqual([]);
      expect(await login()).toMatchObject({ verdict: 'deny' });
      expect(await send()).toEqual(['ann@example.com: Sign-in to your Shop account refused']);
    });

    test('are not sent for users who are suspended or do not exist', async () => {
      await trust();
      await send();
      await update({ status: 'suspended' });
      expect(await login()).toMatchObject({ verdict: 'deny' });
      await customer.evaluate({ action: 'login', user: 'nobody', fingerprint: phone, ip: home });
      expect(await send()).toEqual([]);
    });
  });

  describe('limits', () => {
    test('each kind has a setting, which is off by default', async () => {
      await open({});
      const id = await trust();
      await update({ email: 'new@example.com' });
      await customer.ask(`/v2/device/${id}/update`, { status: 'blocked' });
      await login();
      expect(await send()).toEqual([]);
    });

    test('a flood of denied logins sends three mails a day', async () => {
      const id = await trust();
      await customer.ask(`/v2/device/${id}/update`, { status: 'blocked' });
      await send();
      for (let tried = 0; tried < 6; tried++) await login();
      expect(await send()).toHaveLength(3);
      service.clock.advance(dayMs);
      await login();
      expect(await send()).toHaveLength(1);
    });

    test('an address gets ten a day, whichever users it belongs to', async () => {
      for (let user = 0; user < 12; user++) await trust({ user: `user ${user}`, fingerprint: tablet });
      expect(await send()).toHaveLength(10);
    });

    test('a project sends as many as its setting allows', async () => {
      await open({ ...all, daily_mail_limit: 2 });
      for (let user = 0; user < 3; user++) await trust({ user: `user ${user}`, email: `user${user}@example.com` });
      expect(await send()).toHaveLength(2);
    });
  });

  describe('the link', () => {
    test('shows what happened, and changes nothing until the button is pressed', async () => {
      const id = await trust();
      await send();
      for (let opened = 0; opened < 2; opened++) {
        const page = await reader.get(linkOf());
        expect([page.status, page.text]).toEqual([200, expect.stringMatching(/Was this not you\?.*Device.*Time/)]);
      }
      await reader.get(`${linkOf()}/disown`);
      expect([await statusOf(id), await eventsOf('device.disowned')]).toEqual(['attached', []]);
    });

    test('blocks the device without a session, and says what it did', async () => {
      const id = await trust();
      await send();
      expect((await reader.post(`${linkOf()}/disown`, {})).status).toBe(303);
      expect((await reader.get(linkOf())).text).toMatch(/signed out and blocked.*new .* password/);
      expect(await statusOf(id)).toBe('blocked');
      const [event, ...others] = await eventsOf('device.disowned');
      expect([event?.data, others]).toEqual([expect.objectContaining({ notice: 'new_device' }), []]);
      expect((await login({ fingerprint: phone })).reasons).toContain('account_compromised');
    });

    test('works once: a device that was unblocked since stays so', async () => {
      const id = await trust();
      await send();
      await reader.post(`${linkOf()}/disown`, {});
      await customer.ask(`/v2/device/${id}/update`, { status: 'attached' });
      await reader.post(`${linkOf()}/disown`, {});
      expect([await statusOf(id), await eventsOf('device.disowned')]).toEqual(['attached', [expect.anything()]]);
    });

    test('works once when it is pressed twice at the same time', async () => {
      await trust();
      await send();
      await Promise.all([reader.post(`${linkOf()}/disown`, {}), reader.post(`${linkOf()}/disown`, {})]);
      expect(await eventsOf('device.disowned')).toHaveLength(1);
    });

    test('of a changed contact protects the account, although there is no device', async () => {
      await trust();
      await update({ email: 'thief@example.com' });
      const { challenge_id } = await login({ fingerprint: phone });
      await send();
      await reader.post(`${linkOf()}/disown`, {});
      expect((await customer.get(`/v2/challenges/${challenge_id}`)).body.status).toBe('skipped');
      const [event] = await eventsOf('device.disowned');
      expect(event?.data).toEqual({ user: expect.objectContaining({ external_id: 'ann' }), notice: 'contact_changed' });
    });

    test('expires after 7 days', async () => {
      const id = await trust();
      await send();
      service.clock.advance(7 * dayMs);
      for (const page of [await reader.get(linkOf()), await reader.post(`${linkOf()}/disown`, {})]) {
        expect([page.status, page.text]).toEqual([403, expect.stringContaining('no longer valid')]);
      }
      expect(await statusOf(id)).toBe('attached');
    });

    test('is gone once the user is erased', async () => {
      await trust();
      await send();
      await customer.ask('/v2/user/ann/delete');
      expect((await reader.post(`${linkOf()}/disown`, {})).status).toBe(403);
    });

    test('of another project, another purpose, or changed, is rejected', async () => {
      const id = await trust();
      const { challenge_id } = await login({ fingerprint: phone });
      await customer.ask(`/v2/challenges/${challenge_id}/send`);
      const { disownUrl = '' } = service.outbox.at(-1) ?? {};
      await send();
      const token = Buffer.from(linkOf().slice('/n/account/'.length), 'base64url');
      await service.newProject(all);
      const [world] = await service.db.selectFrom('worlds').select('id').orderBy('id', 'desc').execute();
      const otherWorld = Buffer.from((world?.id ?? '').replaceAll('-', ''), 'hex');
      const forged = Buffer.concat([otherWorld, token.subarray(16)]).toString('base64url');
      const changed = Buffer.from(token);
      changed.writeUInt8(token.readUInt8(20) ^ 1, 20);
      const otherPurpose = new URL(disownUrl).pathname.slice('/n/'.length);
      for (const each of [forged, changed.toString('base64url'), otherPurpose, 'short']) {
        expect([each, (await reader.post(`/n/account/${each}/disown`, {})).status]).toEqual([each, 403]);
      }
      expect(await statusOf(id)).toBe('attached');
    });
  });
});
