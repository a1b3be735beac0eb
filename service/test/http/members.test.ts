import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changeAccess,
  dayMs,
  inviteMember,
  listMembers,
  minuteMs,
  type ProjectRole,
  projectRoles,
  removeMember,
} from '../../src/testing.js';
import { administratorAt, adminOf, insertMember, memberAt, password } from '../support/admin.js';
import { laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { submitForm } from '../support/forms.js';
import { openSecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';

describeDatabases('the members of the dashboard', (kind) => {
  let service: TestService;
  let project: TestProject;
  let owner: Visitor;
  let email: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
    owner = await administratorAt(service.url, service.service, 'owner@example.com');
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    email = `${randomUUID()}@example.com`;
    // Sessions expire and confirmations lapse while the clock of the tests advances.
    owner = await administratorAt(service.url, service.service, `owner-${randomUUID()}@example.com`);
  });

  const place = () => `/dashboard/${project.project.id}/live`;
  const memberIn = (role: ProjectRole, address = `${role}-${randomUUID()}@example.com`) =>
    memberAt(service.url, service.service, { email: address, role, projectId: project.project.id });
  /** Returns the link of the newest mail to an address. */
  const linkTo = (address: string) => {
    const mail = service.mails.findLast(({ to }) => to === address);
    return /https:\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  };
  const idOf = async (address: string) =>
    (await listMembers(service.service, undefined)).find((member) => member.email === address)?.id ?? '';
  const invite = async (by: Visitor, fields: Record<string, string>, path = `${place()}/members`) => {
    await by.get(path);
    return by.post(path, { email, ...fields });
  };
  const navigationOf = (html: string) =>
    [...html.matchAll(/<li><a href="[^"]*\/live\/(\w+)"/g)].map(([, section]) => section);

  test('are invited by mail to a role in a project, and see only that project', async () => {
    expect((await invite(owner, { role: 'analyst' })).status).toBe(303);
    const mail = service.mails.findLast(({ to }) => to === email);
    expect(mail?.text).toMatch(
      /owner-\S+ has invited you to the dashboard of Whorl, as an analyst of the project "Shop /,
    );
    expect((await owner.get(`${place()}/members`)).text).toContain(email);
    const visitor = visitorOf(service);
    const page = await visitor.open(linkTo(email));
    expect(page.text).toContain(`Account: ${email}`);
    expect(page.text).toContain(`Role: analyst of the project ${project.project.name}`);
    expect((await visitor.submit('set-up', { password })).status).toBe(303);
    const other = await service.newProject();
    const projects = await visitor.get('/dashboard/projects');
    expect(projects.text).toContain(project.project.name);
    expect(projects.text).not.toContain(other.project.name);
    expect((await visitor.get(`/dashboard/${other.project.id}/live/overview`)).status).toBe(404);
    expect((await visitor.get(`${place()}/overview`)).status).toBe(200);
    expect((await visitor.get('/dashboard/members')).status).toBe(403);
  });

  test('get only the pages and forms of their role, also by an address that is typed in', async () => {
    const everywhere = ['overview', 'users', 'devices', 'challenges', 'evaluations', 'review', 'lists', 'rules'];
    const expected: Record<ProjectRole, string[]> = {
      viewer: [...everywhere, 'settings'],
      analyst: [...everywhere, 'settings'],
      administrator: [...everywhere, 'webhooks', 'settings', 'keys', 'members', 'audit'],
    };
    for (const role of projectRoles) {
      const { api_id } = await deviceOf(role);
      const visitor = await memberIn(role);
      const { html } = await visitor.get(`${place()}/overview`);
      expect(navigationOf(html)).toEqual(expected[role]);
      for (const section of expected.administrator) {
        const { status } = await visitor.get(`${place()}/${section}`);
        expect([section, status]).toEqual([section, expected[role].includes(section) ? 200 : 403]);
      }
      const device = await visitor.get(`${place()}/devices/${api_id}`);
      expect(device.html.includes('/block"')).toBe(role !== 'viewer');
      expect((await visitor.get(`${place()}/settings`)).html.includes('Change: ')).toBe(role === 'administrator');
      const blocked = await visitor.post(`${place()}/devices/${api_id}/block`);
      expect([role, blocked.status]).toEqual([role, role === 'viewer' ? 403 : 303]);
    }
  });

  async function deviceOf(user: string): Promise<{ api_id: string }> {
    const key = project.keys.live.secret;
    const body = { user, fingerprint: laptop, ip: '198.51.100.7' };
    const answer = await service.api('/v2/device/attach', { key, body });
    return { api_id: String(answer.body.device_id) };
  }

  describe('an invitation', () => {
    test('is valid once, for three days, and only its hash is stored', async () => {
      await invite(owner, { role: 'viewer' });
      const link = linkTo(email);
      const rows = await service.db.selectFrom('admin_links').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(new URL(link).searchParams.get('token'));
      expect(JSON.stringify(rows)).not.toContain(email);
      service.clock.advance(3 * dayMs - minuteMs);
      expect((await visitorOf(service).open(link)).status).toBe(200);
      service.clock.advance(minuteMs);
      expect((await visitorOf(service).open(link)).status).toBe(403);
    });

    test('ends when it is revoked, when its project is deleted, and when the inviter is removed or lowered', async () => {
      const address = `administrator-${randomUUID()}@example.com`;
      const inviter = await memberIn('administrator', address);
      const ends: [string, () => Promise<unknown>][] = [
        [
          'revoked',
          async () => {
            const page = await owner.get(`${place()}/members`);
            return submitForm(owner, page, '/revoke');
          },
        ],
        [
          'lowered',
          async () =>
            changeAccess(service.service, {
              memberId: await idOf(address),
              scope: project.project.id,
              access: { role: 'viewer', project: project.project },
              origin: {},
            }),
        ],
      ];
      for (const [, end] of ends) {
        await invite(inviter, { role: 'viewer' });
        expect((await visitorOf(service).open(linkTo(email))).status).toBe(200);
        await end();
        expect((await visitorOf(service).open(linkTo(email))).status).toBe(403);
        service.mails.length = 0;
      }
    });

    test('cannot be for a role that the inviter may not give', async () => {
      const administrator = await memberIn('administrator');
      for (const role of ['owner', 'nonsense', '']) {
        expect((await invite(administrator, { role })).status).toBe(400);
      }
      expect((await invite(administrator, { role: 'owner' }, '/dashboard/members')).status).toBe(403);
      expect(service.mails).toEqual([]);
      // The project of the form is not read: the role is for the project of the page.
      const other = await service.newProject();
      await invite(administrator, { role: 'administrator', project: other.project.id });
      const visitor = visitorOf(service);
      await visitor.open(linkTo(email));
      await visitor.submit('set-up', { password });
      expect((await visitor.get(`/dashboard/${other.project.id}/live/overview`)).status).toBe(404);
      expect((await visitor.get(`${place()}/overview`)).status).toBe(200);
    });

    test('gives the role at once to somebody who has an account', async () => {
      const visitor = await memberIn('viewer', email);
      const other = await service.newProject();
      await invite(owner, { role: 'administrator' }, `/dashboard/${other.project.id}/live/members`);
      expect(service.mails).toEqual([]);
      expect((await visitor.get(`/dashboard/${other.project.id}/live/keys`)).status).toBe(200);
      expect((await visitor.get(`${place()}/keys`)).status).toBe(403);
      const again = await invite(owner, { role: 'viewer' }, `/dashboard/${other.project.id}/live/members`);
      expect([again.status, again.text]).toEqual([422, expect.stringContaining('already a member of this project')]);
    });

    test('is shown as a link without a mail server, and is void if the mail server refuses it', async () => {
      const sender = { ...service.service.sender, channels: new Set<never>() };
      const app = await openSecondApp({ ...service.service, sender });
      const here = await administratorAt(app.url, service.service, `here-${email}`);
      const shown = await invite(here, { role: 'viewer' });
      expect(shown.text).toContain('send this link to');
      expect(shown.html).toMatch(/value="https:\/\/fraud.example\/dashboard\/set-up\?token=[\w-]{43}"/);
      await app.close();
      const failing = { ...service.service.sender, sendMail: () => Promise.reject(new Error('broken')) };
      const request = { email: `other-${email}`, access: { role: 'owner' } } as const;
      await expect(inviteMember({ ...service.service, sender: failing }, request)).rejects.toThrow('broken');
    });

    test('asks for the password again after 10 minutes', async () => {
      const here = await adminOf(service, email);
      await here.get('/dashboard/members');
      const fields = { email: `other-${email}`, role: 'viewer', project: project.project.id };
      const asked = await here.post('/dashboard/members', fields);
      expect([asked.status, asked.text]).toEqual([422, expect.stringContaining('Enter your password to continue.')]);
      expect((await here.post('/dashboard/members', { ...fields, password })).status).toBe(303);
      service.clock.advance(9 * minuteMs);
      await here.get('/dashboard/members');
      expect((await here.post('/dashboard/members', { ...fields, email: `a-${email}` })).status).toBe(303);
      service.clock.advance(minuteMs);
      expect((await here.post('/dashboard/members', { ...fields, email: `b-${email}` })).status).toBe(422);
    });
  });

  describe('a change', () => {
    test('of the role to a lesser one ends the sessions at once; a greater one does not', async () => {
      const visitor = await memberIn('analyst', email);
      const page = await owner.get(`${place()}/members/${await idOf(email)}`);
      expect((await submitForm(owner, page, '/role', { role: 'administrator' })).status).toBe(303);
      expect((await visitor.get(`${place()}/keys`)).status).toBe(200);
      expect((await submitForm(owner, page, '/role', { role: 'viewer' })).status).toBe(303);
      expect((await visitor.get(`${place()}/overview`)).status).toBe(303);
      const [entry] = await service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).execute();
      expect(entry).toMatchObject({
        kind: 'role_changed',
        project_id: project.project.id,
        changes: { role: { from: 'administrator', to: 'viewer' } },
      });
      expect(JSON.stringify(entry)).not.toContain(email);
    });

    test('removes a member from one project, and the account with the last one', async () => {
      const visitor = await memberIn('viewer', email);
      const other = await service.newProject();
      const memberId = await idOf(email);
      const access = { role: 'viewer', project: other.project } as const;
      await changeAccess(service.service, { memberId, scope: undefined, access, origin: {} });
      const page = await owner.get(`${place()}/members/${memberId}`);
      expect((await submitForm(owner, page, '/remove')).status).toBe(303);
      expect((await visitor.get('/dashboard')).status).toBe(303);
      expect((await owner.get(`${place()}/members`)).text).not.toContain(email);
      expect(await idOf(email)).toBe(memberId);
      await removeMember(service.service, { memberId, scope: other.project.id, origin: {} });
      expect(await idOf(email)).toBe('');
    });

    test('in a project reaches neither owners nor members of other projects', async () => {
      const other = await service.newProject();
      const foreign = await insertMember(service.service, {
        email,
        role: 'viewer',
        projectId: other.project.id,
      });
      const rival = await insertMember(service.service, { email: `rival-${email}` });
      const administrator = await memberIn('administrator');
      await administrator.get(`${place()}/members`);
      for (const member of [foreign, rival]) {
        expect((await administrator.get(`${place()}/members/${member}`)).status).toBe(404);
        const role = { role: 'viewer' };
        const base = `${place()}/members/${member}`;
        await administrator.get(`${place()}/members`);
        expect((await administrator.post(`${base}/role`, role)).status).toBe(404);
        await administrator.get(`${place()}/members`);
        expect((await administrator.post(`${base}/remove`)).status).toBe(404);
      }
      expect(await idOf(email)).toBe(foreign);
      expect(await idOf(`rival-${email}`)).toBe(rival);
    });
  });

  test('keep one owner, whoever removes or lowers them, also at the same moment', async () => {
    const alone = await startService({ database: kind });
    try {
      const [one, two] = await Promise.all(
        ['one', 'two'].map((name) => insertMember(alone.service, { email: `${name}@example.com` })),
      );
      const removals = await Promise.allSettled(
        [one, two].map((memberId = '') => removeMember(alone.service, { memberId, scope: undefined, origin: {} })),
      );
      expect(removals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const [last, ...others] = await listMembers(alone.service, undefined);
      expect(others).toEqual([]);
      const created = await alone.newProject();
      const access = { role: 'administrator', project: created.project } as const;
      const choice = { memberId: last?.id ?? '', scope: undefined, origin: {} };
      await expect(changeAccess(alone.service, { ...choice, access })).rejects.toThrow('This is the last owner');
      await expect(removeMember(alone.service, choice)).rejects.toThrow('This is the last owner');
      expect(await listMembers(alone.service, undefined)).toMatchObject([{ isOwner: true }]);
    } finally {
      await alone.close();
    }
  });

  test('can become owners, and owners members of a project', async () => {
    const visitor = await memberIn('viewer', email);
    const path = `/dashboard/members/${await idOf(email)}`;
    expect((await submitForm(owner, await owner.get(path), '/role', { role: 'owner' })).status).toBe(303);
    expect((await visitor.get('/dashboard/members')).status).toBe(200);
    const lesser = { role: 'analyst', project: project.project.id };
    expect((await submitForm(owner, await owner.get(path), '/role', lesser)).status).toBe(303);
    expect((await visitor.get('/dashboard')).status).toBe(303);
    const [member] = (await listMembers(service.service, project.project.id)).filter((each) => each.email === email);
    expect([member?.isOwner, member?.roles.get(project.project.id)]).toEqual([false, 'analyst']);
  });
});
