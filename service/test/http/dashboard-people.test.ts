import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administratorAt } from '../support/admin.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { type SeenPage, type Visitor, visitorOf } from '../support/visitor.js';

describeDatabases('the dashboard of people', (kind) => {
  let service: TestService;
  let app: SecondApp;
  let project: TestProject;
  let customer: Customer;
  let visitor: Visitor;
  let base: string;
  /** What each form of the visitor's session carries. */
  let csrf: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
    app = await openSecondApp(service.service);
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
    visitor = await administratorAt(app.url, service.service, 'ines@example.com');
    base = `/dashboard/${project.project.id}/live`;
    await visitor.get(`${base}/users`);
    csrf = visitor.fields().get('csrf') ?? '';
  });
  afterAll(async () => {
    await app.close();
    await service.close();
  });

  const open = (path: string): Promise<SeenPage> => visitor.get(base + path).then(tidied);
  const tidied = (page: SeenPage) => ({ ...page, text: page.text.replace(/ ([,;])/g, '$1') });
  const shown = async (path: string): Promise<SeenPage> => {
    const page = await open(path);
    expect(page.status, page.text).toBe(200);
    return page;
  };
  const post = (path: string, fields: Record<string, string> = {}) => visitor.post(base + path, { csrf, ...fields });
  const attach = (user: string, more: object = {}) =>
    customer.ask('/v2/device/attach', { user, fingerprint: laptop, ip: home, ...more });
  const userIdOf = async (name: string): Promise<string> => (await customer.ask(`/v2/user/${name}/update`))._id;

  describe('users', () => {
    let userId: string;
    beforeAll(async () => {
      await attach('ann', { email: 'ann.walker@example.com', phone: '+491701234567' });
      await customer.ask('/v2/user/ann/update', { metadata: { plan: 'family' } });
      const { id, code } = await customer.sendCode('ann', { fingerprint: phone, ip: elsewhere });
      await customer.ask(`/v2/challenges/${id}/verify`, { code });
      await customer.ask(`/v2/challenges/${id}/complete`);
      userId = await userIdOf('ann');
    });

    it('shows a user with devices, addresses, challenges and what happened', async () => {
      const { text, html } = await shown(`/users/${userId}`);
      expect(text).toContain('a***@e******.com');
      expect(text).toContain('+**********67');
      expect(text).toContain('plan family');
      expect(text).toContain('Chromium 156 on Linux attached');
      expect(text).toContain('WebKit 18 on Android attached trusted');
      expect(text).toMatch(new RegExp(`${elsewhere} .{1,30} UTC until`));
      expect(text).toContain('Evaluation: login challenge');
      expect(text).toContain('Challenge: login completed new device, new ip');
      for (const event of ['Code sent', 'Challenge completed']) expect(text).toContain(event);
      for (const contact of ['walker', '1701234567']) expect(html).not.toContain(contact);
    });

    it.each([
      ['mail address', 'Ann.Walker@Example.com'],
      ['phone number', '0049 170 1234567'],
      ['identifier', 'ann'],
    ])('is found by its %s, which then stands in no address and no log', async (_, text) => {
      const answer = await post('/users/search', { q: text });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('Location')).toBe(`${base}/users/${userId}`);
      expect(app.log()).toContain('/users/search');
      expect(app.log()).not.toMatch(/walker|1701234567|170 123/i);
    });

    it('is found by its id, by the id of a device, and by where it was seen', async () => {
      const { device_id } = await attach('ann');
      for (const q of [userId, device_id]) {
        expect((await post('/users/search', { q })).headers.get('Location')).toBe(`${base}/users/${userId}`);
      }
      expect((await post('/users/search', { q: elsewhere })).text).toMatch(/Seen at this address .* ann a\*\*\*/);
      for (const q of ['192.0.2.250', 'nobody', 'nobody@example.com', '%', '\u0000', '\\', "'"]) {
        expect((await post('/users/search', { q })).text, q).not.toContain('a***@');
      }
    });

    it('are found by the beginning of their identifier, in parts', async () => {
      const names = Array.from({ length: 27 }, (_, index) => `team-${String(index).padStart(2, '0')}`);
      await sql`
        insert into users (id, world_id, external_id, metadata, status, created_at, updated_at)
        select overlay(id::text placing lpad((n + 10)::text, 4, '0') from 25)::uuid, world_id,
          'team-' || lpad(n::text, 2, '0'), '{}', 'active', created_at, created_at
        from users, generate_series(0, 26) n where users.id = ${userId}
      `.execute(service.db);
      const first = await post('/users/search', { q: 'team-' });
      expect(namesIn(first)).toEqual(names.slice(0, 25));
      const after = /name="after" value="([^"]+)"/.exec(first.html)?.[1] ?? '';
      const second = await post('/users/search', { q: 'team-', after });
      expect(namesIn(second)).toEqual(names.slice(25));
      const listed = await walk('/users', 'from', namesIn);
      expect(listed.filter((name) => name.startsWith('team-'))).toEqual(names.toReversed());
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed).toContain('ann');
    });

    const namesIn = ({ html }: SeenPage) => [...html.matchAll(/title="([\w-]+)">\1</g)].map(([, name = '']) => name);

    it('is suspended and active again, and says by whom', async () => {
      await attach('sue');
      const id = await userIdOf('sue');
      const { text } = await shown(`/users/${id}`);
      expect(text).toContain('Every evaluation of this user is denied');
      expect((await post(`/users/${id}/suspend`)).status).toBe(303);
      const suspended = (await shown(`/users/${id}`)).text;
      expect(suspended).toContain('The user is suspended.');
      expect(suspended).toContain('Suspended the user by ines@example.com');
      expect((await customer.evaluate({ action: 'login', user: 'sue', fingerprint: laptop })).verdict).toBe('deny');
      await post(`/users/${id}/activate`);
      expect((await shown(`/users/${id}`)).text).toContain('Lifted the suspension of the user');
      expect((await customer.evaluate({ action: 'login', user: 'sue', fingerprint: laptop })).verdict).not.toBe('deny');
    });

    it('keeps the timeline of a busy user in order, each entry once', async () => {
      await attach('busy');
      // Two at a time, of one moment.
      await sql`
        insert into evaluations (id, world_id, user_id, external_user, identity_id, variant_id, action, verdict, reasons,
          findings, request, confidence, matched_by, changed, claimed, created_at)
        select gen_random_uuid(), world_id, user_id, external_user, identity_id, variant_id, 'visit_' || n, verdict,
          reasons, findings, request, confidence, matched_by, changed, claimed, created_at - interval '1 second' * (n / 2)
        from evaluations, generate_series(0, 59) n where external_user = 'busy'
      `.execute(service.db);
      const seen = await walk(`/users/${await userIdOf('busy')}`, 'timeline', ({ text }) =>
        [...text.matchAll(/Evaluation: visit (\d+)/g)].map(([, count]) => Number(count)),
      );
      expect(seen.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index));
      const moments = seen.map((count) => Math.floor(count / 2));
      expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    });
  });

  describe('devices', () => {
    it('are listed by status, with their users', async () => {
      await attach('lisa', { fingerprint: tablet });
      const { device_id } = await attach('lisa', { fingerprint: 'a text of her own' });
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      const [attached, blocked] = ['WebKit 18 on Android lisa attached', 'Unknown device lisa blocked'];
      const listed = async (status: string) => (await shown(`/devices?status=${status}`)).text;
      expect((await shown('/devices')).text).toContain(attached);
      expect(await listed('attached')).not.toContain('Unknown device lisa');
      expect(await listed('blocked')).toContain(blocked);
      expect(await listed('blocked')).not.toContain('WebKit 18 on Android lisa');
      expect(await listed('detached')).not.toContain('lisa');
      const { project: other } = await service.newProject();
      const none = await visitor.get(`/dashboard/${other.id}/live/devices?status=detached`);
      expect(none.text).toContain('No detached devices.');
    });

    it('shows fingerprints in time, what changed, and who else has it', async () => {
      const before = fingerprintOf({ seed: 'shared' });
      const after = fingerprintOf({ seed: 'shared', descriptor: 'dlc157', changed: ['gl', 'surface'] });
      const { device_id, fingerprint_id } = await attach('max', { fingerprint: before });
      await attach('moritz', { fingerprint: before });
      await attach('max', { fingerprint: after, last_fingerprint: before });
      const { text, html } = await shown(`/devices/${device_id}`);
      expect(text).toContain('Chromium 156 → Chromium 157 software: gl, surface');
      expect(text).toContain('gl (software) expected with: every second browser update');
      expect(text).toMatch(/Other users of this browser .* moritz device attached/);
      expect(text).toContain('last, 100%');
      expect(html).toMatch(/<svg [^>]*aria-label="Fingerprint of a Chromium browser on Linux; changed: gl, surface"/);
      expect(html).not.toMatch(/<[^>]* style=/);
      for (const q of [before, after, fingerprint_id]) {
        const location = (await post('/devices/search', { q })).headers.get('Location') ?? '';
        expect(location).toBe(`${base}/devices?fingerprint_id=${fingerprint_id}`);
        expect((await visitor.get(location)).text).toMatch(/moritz .*max |max .*moritz /);
      }
      const byId = await post('/devices/search', { q: device_id });
      expect(byId.headers.get('Location')).toBe(`${base}/devices/${device_id}`);
      expect((await post('/devices/search', { q: 'none such' })).text).toContain('No device of this id');
    });

    it('is signed out as by the API: event, end of trust, and who did it', async () => {
      const { device_id } = await attach('dora');
      const page = await shown(`/devices/${device_id}`);
      expect(page.text).toContain('Detaches the device and takes its trust.');
      const answer = await post(`/devices/${device_id}/detach`, { from: 'user' });
      const id = await userIdOf('dora');
      expect(answer.headers.get('Location')).toBe(`${base}/users/${id}`);
      const { text } = await shown(`/users/${id}`);
      expect(text).toContain('The device is signed out.');
      expect(text).toContain('Device signed out by the project');
      expect(text).toContain('Signed a device out by ines@example.com');
      const told = (await service.events(project)).filter(({ data }) => data.device?._id === device_id);
      expect(told).toMatchObject([
        { type: 'device.detached', data: { cause: 'detach', device: { status: 'detached' } } },
      ]);
      // Once more, there is nothing left to do, to tell or to write down.
      await post(`/devices/${device_id}/detach`);
      expect((await shown(`/users/${id}`)).text.match(/Signed a device out/g)).toHaveLength(1);
    });

    it('is blocked, unblocked and trusted, and a form of before does nothing', async () => {
      const { device_id } = await attach('bob');
      const state = async () => (await customer.get('/v2/user/bob/devices')).body.data[0];
      const act = async (name: string) => {
        await post(`/devices/${device_id}/${name}`);
        return (await shown(`/devices/${device_id}`)).text;
      };
      /** Tries what a page has offered that was shown earlier. */
      const actTooLate = async (...names: string[]) => {
        const before = await state();
        for (const name of names) expect(await act(name), name).toContain('Nothing was changed');
        expect(await state()).toEqual(before);
      };
      await actTooLate('unblock', 'distrust');
      expect(await act('block')).toMatch(/The device is blocked.*Unblock…/);
      expect(await state()).toMatchObject({ status: 'blocked', trusted: false });
      await actTooLate('block', 'trust', 'detach');
      await act('unblock');
      expect(await act('trust')).toContain('The device is trusted for good.');
      expect(await state()).toMatchObject({ status: 'attached', whitelisted: true });
      await actTooLate('trust');
      await act('distrust');
      expect(await state()).toMatchObject({ status: 'attached', whitelisted: false });
      await act('detach');
      await actTooLate('unblock', 'detach');
      const history = (await shown(`/users/${await userIdOf('bob')}`)).text;
      for (const done of ['Blocked a', 'Unblocked a', 'Trusted a', 'Took the lasting trust from a', 'Signed a']) {
        expect(history.split(`${done} device`), done).toHaveLength(2);
      }
    });
  });

  describe('challenges', () => {
    it('are listed by status, and show how far the code came, but not the code', async () => {
      const { id, code } = await customer.sendCode('cleo');
      await customer.ask(`/v2/challenges/${id}/verify`, { code: code === '000000' ? '111111' : '000000' });
      const { challenge_id: skipped } = await customer.challenge('carl');
      await customer.ask(`/v2/challenges/${skipped}/skip`);
      expect((await shown('/challenges?status=pending')).text).toMatch(/login cleo pending/);
      expect((await shown('/challenges?status=pending')).text).not.toContain('carl');
      expect((await shown('/challenges?status=skipped')).text).toMatch(/login carl skipped/);
      expect((await shown('/challenges')).text).toMatch(/carl .* cleo/);
      const { text, html } = await shown(`/challenges/${id}`);
      expect(text).toContain('Codes sent 1 of 5 Tries of the last code 1 of 5');
      expect(text).toContain('c***@e******.com');
      expect(text).toContain('No device that this user is known by matches.');
      expect(html).not.toContain(code);
      const evaluation = /evaluations\/([0-9a-f-]{36})"/.exec(html)?.[1];
      expect((await shown(`/evaluations/${evaluation}`)).html).toContain(`/challenges/${id}"`);
    });

    it('claimed by a page are shown to whoever has the id, and told to nobody', async () => {
      const { challenge_id } = await customer.claim('claimed');
      expect((await shown('/challenges')).text).not.toContain('claimed');
      expect((await shown(`/challenges/${challenge_id}`)).text).toContain('nobody was told of it yet');
      expect((await service.events(project)).map(({ data }) => data.challenge?._id)).not.toContain(challenge_id);
    });
  });

  describe('evaluations', () => {
    it('shows verdict, reasons and evidence in words, and takes feedback', async () => {
      const fingerprint = fingerprintOf({ seed: 'driven', integrity: ['webdriver'] });
      const { evaluation_id } = await customer.evaluate({ action: 'login', user: 'eve', fingerprint, ip: home });
      const { text } = await shown(`/evaluations/${evaluation_id}`);
      expect(text).toContain('automation The browser shows signs of being driven by a program.');
      expect(text).toContain('webdriver: the browser says that it is driven');
      expect(text).toContain('new device No device that this user is known by matches.');
      const answer = await post(`/evaluations/${evaluation_id}/feedback`, { label: 'fraud', note: 'Charged back.' });
      expect(answer.status).toBe(303);
      expect((await shown(`/evaluations/${evaluation_id}`)).html).toContain('>Charged back.</textarea>');
      const record = (await customer.get(`/v2/evaluations/${evaluation_id}`)).body;
      expect(record.feedback).toEqual({ label: 'fraud', note: 'Charged back.' });
      const refused = await post(`/evaluations/${evaluation_id}/feedback`, { label: 'perhaps' });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('Choose a label');
    });

    it('are found by verdict, reason, action and period', async () => {
      await customer.evaluate({ action: 'found_me', user: 'filt', fingerprint: phone, ip: home });
      const list = async (query: string) => (await shown(`/evaluations?${query}`)).text;
      const today = service.clock.now().toISOString().slice(0, 10);
      expect(await list(`verdict=challenge&reason=new_device&action=found_me&end_date=${today}`)).toContain(
        'found me filt',
      );
      expect(await list('verdict=allow&action=found_me')).toContain('No evaluations.');
      expect(await list('reason=velocity&action=found_me')).toContain('No evaluations.');
      expect(await list('action=found_me&end_date=2020-01-01')).toContain('No evaluations.');
      expect(await list('action=found_me&start_date=2090-01-01')).toContain('No evaluations.');
      // What makes no sense narrows nothing.
      expect(await list('verdict=maybe&reason=&action=%00&start_date=now&from=1.2')).toContain('found me filt');
    });

    it('are searched back a bounded number of rows at a time', async () => {
      const rare = await service.newProject();
      const owner = customerOf(service, rare);
      await owner.evaluate({ action: 'rare', user: 'rare', fingerprint: laptop, ip: home });
      await sql`
        insert into evaluations (id, world_id, external_user, identity_id, variant_id, action, verdict, reasons, findings,
          request, confidence, matched_by, changed, claimed, created_at)
        select gen_random_uuid(), world_id, 'many', identity_id, variant_id, 'often', 'allow', '[]', '[]', request, 1,
          'exact', '[]', false, created_at + interval '1 millisecond' * ((n + 1) / 2)
        from evaluations, generate_series(1, 5100) n where action = 'rare'
      `.execute(service.db);
      const path = `/dashboard/${rare.project.id}/live/evaluations?action=rare`;
      const first = await visitor.get(path);
      expect(first.text).toContain('Searched back to');
      expect(first.text).not.toContain('rare rare');
      const next = /href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const second = await visitor.get(next);
      expect(second.text).toContain('rare rare');
      expect(second.text).not.toContain('Searched back to');
      const all = await visitor.get(path.replace('action=rare', 'action=often'));
      expect(all.html.match(/>often</g)).toHaveLength(25);
    });
  });

  describe('what is not theirs', () => {
    it("answers 404 for other worlds' ids and for none, and changes nothing", async () => {
      const other = await service.newProject();
      const stranger = customerOf(service, other);
      const theirs = await stranger.challenge('zoe');
      const test = customerOf(service, project, 'test');
      const tests = await test.challenge('zoe');
      for (const { device_id, challenge_id, evaluation_id, fingerprint_id } of [theirs, tests]) {
        for (const path of [
          `/devices/${device_id}`,
          `/challenges/${challenge_id}`,
          `/evaluations/${evaluation_id}`,
          `/devices?fingerprint_id=${fingerprint_id}`,
        ]) {
          expect((await open(path)).status, path).toBe(404);
        }
        expect((await post(`/devices/${device_id}/block`)).status).toBe(404);
        expect((await post(`/evaluations/${evaluation_id}/feedback`, { label: 'fraud' })).status).toBe(404);
        expect((await post('/users/search', { q: device_id })).text).toContain('Nobody was found.');
      }
      expect((await stranger.get('/v2/user/zoe/devices')).body.data[0].status).toBe('pending');
      const id = (await stranger.ask('/v2/user/zoe/update'))._id;
      expect((await open(`/users/${id}`)).status).toBe(404);
      expect((await post(`/users/${id}/suspend`)).status).toBe(404);
      for (const path of ['/users/x', '/devices/x', '/challenges/x', '/evaluations/x', '/devices?fingerprint_id=x']) {
        expect((await open(path)).status, path).toBe(404);
      }
    });

    it('takes no form without its mark, and shows nothing to who is not signed in', async () => {
      const { device_id } = await attach('cora');
      for (const mark of ['', 'AAAA']) {
        expect((await post(`/devices/${device_id}/block`, { csrf: mark })).status).toBe(403);
        expect((await post('/users/search', { q: 'cora', csrf: mark })).status).toBe(403);
      }
      expect((await customer.get('/v2/user/cora/devices')).body.data[0].status).toBe('attached');
      const stranger = await visitorOf(app).get(`${base}/devices/${device_id}`);
      expect(stranger.headers.get('Location')).toContain('/dashboard/sign-in');
    });

    it('escapes what customers and strangers fill in', async () => {
      const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`;
      const request = {
        action: 'login',
        user: evil,
        fingerprint: `${evil} opaque`,
        last_fingerprint: evil,
        version: evil.slice(0, 64),
        ip: home,
        email: "o'<b>@example.com",
        user_agent: evil,
        metadata: { [evil]: evil, nested: { [evil]: [evil] } },
      };
      const { evaluation_id, device_id, challenge_id } = await customer.evaluate(request);
      await customer.ask(`/v2/device/${device_id}/metadata`, { metadata: { [evil]: evil } });
      const name = encodeURIComponent(evil);
      const { _id } = await customer.ask(`/v2/user/${name}/update`, { metadata: { [evil]: evil } });
      await customer.ask(`/v2/evaluations/${evaluation_id}/feedback`, { label: 'fraud', note: `</textarea>${evil}` });
      const pages = [
        await shown('/users'),
        await post('/users/search', { q: evil.slice(0, 10) }),
        await post('/devices/search', { q: evil }),
        await shown(`/users/${_id}`),
        await shown('/devices?status=pending'),
        await shown(`/devices/${device_id}`),
        await shown(`/challenges/${challenge_id}`),
        await shown('/challenges'),
        await shown('/evaluations'),
        await shown(`/evaluations?action=${name}&from=${name}`),
        await shown(`/evaluations/${evaluation_id}`),
      ];
      for (const { html } of pages) {
        expect(html).not.toMatch(/<script>|<img|<b>/);
      }
      expect(pages.filter(({ text }) => text.includes('alert(1)')).length).toBeGreaterThan(8);
    });
  });

  /** Walks through a list from its beginning to its end, and answers what each part shows. */
  async function walk<Item>(path: string, name: string, read: (page: SeenPage) => Item[]): Promise<Item[]> {
    const items: Item[] = [];
    let next: string | undefined = base + path;
    while (next) {
      const page = await visitor.get(next);
      items.push(...read(page));
      next = new RegExp(`href="([^"]*[?&;]${name}=[^"]+)" rel="next"`).exec(page.html)?.[1]?.replaceAll('&amp;', '&');
      expect(items.length).toBeLessThan(200);
    }
    return items;
  }
});
