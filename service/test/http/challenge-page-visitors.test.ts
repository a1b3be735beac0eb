import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings, minuteMs } from '../../src/testing.js';
import { linkTo, openPageShop, type PageShop, returnUrl } from '../support/challenge-page.js';
import { differentCode, elsewhere, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { visitorOf } from '../support/visitor.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('visitors of the managed challenge page', (kind) => {
  let service: TestService;
  let shop: PageShop;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  const start = async (settings: Record<string, unknown> = {}) => {
    shop = await openPageShop(service, settings);
  };
  beforeEach(() => start());

  describe('the link', () => {
    const attachOver = async () => {
      await shop.customer.ask('/v2/device/attach', { user: 'max', fingerprint: laptop });
      return shop.customer.ask('/v2/device/attach', { user: 'max', fingerprint: phone });
    };
    const consume = async () => {
      const { evaluation_id } = await shop.customer.claim('ann');
      return shop.customer.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ann', action: 'login' });
    };

    test.each([
      ['an evaluation', () => shop.customer.challenge('ann')],
      ["a page's evaluation", () => shop.customer.claim('ann')],
      ['its consumption', consume],
      ['an attachment', attachOver],
    ])('is returned with the challenge of %s if the page is enabled', async (_what, ask) => {
      const device_limit = { overall: 1 };
      await start({ device_limit });
      const { challenge_id, challenge_url } = await ask();
      const form = /^https:\/\/fraud\.example\/challenge\/([0-9a-f-]{36})\?token=[\w.-]+$/;
      expect(form.exec(challenge_url)?.[1]).toBe(challenge_id);
      await start({ device_limit, managed_challenge_page: false });
      const without = await ask();
      expect(without).toHaveProperty('challenge_id');
      expect(without).not.toHaveProperty('challenge_url');
    });

    test('is not returned without a challenge or when an evaluation is read', async () => {
      const request = { action: 'login', user: 'ann', fingerprint: laptop };
      expect(await shop.customer.evaluate({ ...request, action: 'referral' })).not.toHaveProperty('challenge_url');
      const { evaluation_id } = await shop.customer.challenge('ann');
      expect((await shop.customer.get(`/v2/evaluations/${evaluation_id}`)).body).not.toHaveProperty('challenge_url');
    });

    test('is for a verified visitor once the server has consumed the claim', async () => {
      await shop.customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, email: 'ann@example.com' });
      const { challenge_url } = await consume();
      expect((await shop.visitor.open(challenge_url)).text).toContain('a***@e******.com');
    });

    test('works once, sets a cookie for this page only, and is removed from the URL', async () => {
      const { id, link } = await shop.challenged();
      const first = await shop.visitor.get(link);
      expect([first.status, first.headers.get('Location')]).toEqual([303, `/challenge/${id}`]);
      expect(first.headers.get('Set-Cookie')).toMatch(
        new RegExp(
          `^__Host-whorl_challenge_${id}=[\\w-]{36}\\.[\\w-]{43}; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax$`,
        ),
      );
      expect((await shop.visitor.open(`/challenge/${id}`)).text).toContain('Confirm it is you');
      // In the same browser, opening it again shows the page. In another browser, it no longer works.
      expect((await shop.visitor.get(link)).headers.get('Location')).toBe(`/challenge/${id}`);
      const replayed = await visitorOf(service).get(link);
      expect([replayed.status, replayed.headers.get('Set-Cookie')]).toEqual([403, null]);
      expect(replayed.text).toContain('This link is no longer valid');
    });

    test('admits one of many concurrent visitors', async () => {
      const { link } = await shop.challenged();
      const answers = await Promise.all(Array.from({ length: 5 }, () => visitorOf(service).get(link)));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403, 403, 403]);
    });

    test('is rejected after 5 minutes, if changed, for another challenge, or once the page is disabled', async () => {
      const { link } = await shop.challenged();
      const { id: another } = await shop.challenged('ben');
      const refused = async (address: string) => (await shop.visitor.get(address)).status;
      expect(await refused(link.replace(/challenge\/[^?]+/, `challenge/${another}`))).toBe(403);
      expect(await refused(link.replace(/\.s\./, '.c.'))).toBe(403);
      expect(await refused(link.replace(/token=[^&]+/, 'token='))).toBe(403);
      const change = { project: shop.project.project.id, changedBy: 'test' };
      await changeSettings(service.service, { ...change, changes: { managed_challenge_page: false } });
      expect(await refused(link)).toBe(403);
      await changeSettings(service.service, { ...change, changes: { managed_challenge_page: true } });
      service.clock.advance(5 * minuteMs);
      expect(await refused(link)).toBe(403);
    });

    test('is not used up by a link scanner', async () => {
      const { link } = await shop.challenged();
      const { pathname, search } = new URL(link);
      await fetch(service.url + pathname + search, { method: 'HEAD' });
      expect((await shop.visitor.open(link)).text).toContain('Confirm it is you');
    });

    test('is required: an ID alone, or a visit to another challenge, shows nothing', async () => {
      const { id } = await shop.challenged();
      const { link } = await shop.challenged('ben');
      await shop.visitor.open(link);
      for (const address of [`/challenge/${id}`, '/challenge/nonsense', `/challenge/${shop.project.project.id}`]) {
        const { status, text } = await shop.visitor.get(address);
        expect([status, text]).toEqual([403, expect.stringContaining('no longer valid')]);
      }
    });

    test('starts a visit that lasts an hour', async () => {
      const { id, link } = await shop.challenged();
      await shop.visitor.open(link);
      service.clock.advance(60 * minuteMs);
      expect((await shop.visitor.get(`/challenge/${id}`)).status).toBe(403);
    });
  });

  describe('an unverified visitor', () => {
    const attachAnn = () =>
      shop.customer.ask('/v2/device/attach', {
        user: 'ann',
        fingerprint: phone,
        ip: elsewhere,
        email: 'ann@example.com',
      });
    const claimed = async (user: string) => {
      const { challenge_id, challenge_url } = await shop.customer.claim(user, { email: 'thief@example.com' });
      return { id: challenge_id, link: linkTo(challenge_url) };
    };

    test('sees the same whether or not the user exists, and creates no user', async () => {
      await attachAnn();
      const views = [];
      for (const user of ['ann', 'nobody']) {
        const { id, link } = await claimed(user);
        const stranger = visitorOf(service);
        const pages = [await stranger.open(link), await stranger.submitAndFollow('send')];
        for (let tries = 0; tries < 6; tries++) {
          if (/\/code"/.test(pages.at(-1)?.html ?? ''))
            pages.push(await stranger.submitAndFollow('code', { code: '000000' }));
        }
        views.push(pages.map(({ text }) => text.replace(/\d+ seconds|\w+ minute \(\d\d:\d\d UTC\)/g, 'some time')));
        expect(pages.map(({ html }) => html).join()).not.toMatch(/a\*\*\*@|Chrome|new_device/);
        expect(id).toBeDefined();
      }
      expect(views[0]?.length).toBe(7);
      expect(views[1]).toEqual(views[0]);
      await waitFor(() => service.outbox.length === 1, { what: 'the code' });
      expect(service.outbox[0]?.to).toBe('ann@example.com');
      expect((await shop.customer.get('/v2/user/nobody/devices')).status).toBe(404);
    });

    test('changes nothing before requesting a code, or by "not me"', async () => {
      await attachAnn();
      const { id, link } = await claimed('ann');
      const before = await shop.eventTypes();
      await shop.visitor.open(link);
      await shop.visitor.submit('skip');
      expect((await shop.visitor.get(`/challenge/${id}`)).status).toBe(403);
      expect(await shop.eventTypes()).toEqual(before);
      expect(await shop.statusOf(id)).toBe('pending');
    });

    test("does not consume the user's attempts, codes or daily limit", async () => {
      await start({ daily_code_limit: 1 });
      await attachAnn();
      for (let visits = 0; visits < 3; visits++) {
        const stranger = visitorOf(service);
        await stranger.open((await claimed('ann')).link);
        await stranger.submitAndFollow('send');
        await waitFor(() => service.outbox.length === visits + 1, { what: 'the code' });
        const { code } = service.outbox.at(-1) ?? { code: '' };
        for (let tries = 0; tries < 5; tries++) await stranger.submitAndFollow('code', { code: differentCode(code) });
        service.clock.advance(30_000);
      }
      const { id, code } = await shop.customer.sendCode('ann');
      expect(await shop.customer.ask(`/v2/challenges/${id}/verify`, { code })).toEqual({ success: true });
    });

    test('has to wait once the codes or attempts of the network are used up, while the user does not', async () => {
      await start({ claim_limits: { codes_per_network: 1, tries_per_network: 1 } });
      await attachAnn();
      const [one, other] = [visitorOf(service), visitorOf(service)];
      await one.open((await claimed('ann')).link);
      await one.submitAndFollow('send');
      await waitFor(() => service.outbox.length === 1, { what: 'the code' });
      await one.submitAndFollow('code', { code: differentCode(shop.newestCode()) });
      expect((await one.submitAndFollow('code', { code: shop.newestCode() })).text).toContain('Too many wrong codes');
      await other.open((await claimed('nobody')).link);
      expect((await other.submitAndFollow('send')).text).toContain('You can request a new code in');
      const own = await shop.customer.sendCode('ann');
      expect(await shop.customer.ask(`/v2/challenges/${own.id}/verify`, { code: own.code })).toEqual({ success: true });
    });

    test('continues as the user after entering the code', async () => {
      await attachAnn();
      const { id, link } = await claimed('ann');
      await shop.visitor.open(link);
      await shop.visitor.submitAndFollow('send');
      await waitFor(() => service.outbox.length === 1, { what: 'the code' });
      expect((await shop.customer.get('/v2/challenges')).body.total).toBe(0);
      const end = await shop.visitor.submit('code', { code: shop.newestCode() });
      expect(end.headers.get('Location')).toBe(returnUrl);
      expect(await shop.statusOf(id)).toBe('completed');
    });
  });

  describe('the forms', () => {
    test('are rejected without the CSRF token of the visit', async () => {
      const { id, link } = await shop.challenged();
      await shop.visitor.open(link);
      const other = visitorOf(service);
      const { html } = await other.open((await shop.challenged()).link);
      const foreign = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
      for (const csrf of ['', 'nonsense', foreign]) {
        expect((await shop.visitor.post(`/challenge/${id}/send`, { csrf })).status).toBe(403);
      }
      await shop.visitor.get(`/challenge/${id}`);
      shop.visitor.cookies.clear();
      expect((await shop.visitor.submit('send')).status).toBe(403);
      expect(service.outbox).toEqual([]);
      expect(await shop.statusOf(id)).toBe('pending');
    });

    test('accept only form data of limited size', async () => {
      const { id, link } = await shop.challenged();
      await shop.visitor.open(link);
      const post = async (init: RequestInit) =>
        (await fetch(`${service.url}/challenge/${id}/send`, { method: 'POST', ...init })).status;
      expect(await post({ body: '{}', headers: { 'Content-Type': 'application/json' } })).toBe(415);
      expect(await post({ body: new URLSearchParams({ code: 'a'.repeat(9000) }) })).toBe(413);
    });
  });

  describe('every page', () => {
    test('loads only its style, script and logo, and cannot be framed', async () => {
      await start({
        challenge_page: { name: '"><script>alert(1)</script>', logo_url: 'https://cdn.example/logo.svg' },
      });
      const { link } = await shop.challenged();
      const { headers, html } = await shop.visitor.open(link);
      const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
      const sha256 = createHash('sha256').update(style).digest('base64');
      expect(headers.get('Content-Security-Policy')?.split('; ').sort()).toEqual([
        "base-uri 'none'",
        "default-src 'none'",
        `form-action 'self' ${origin}`,
        "frame-ancestors 'none'",
        'img-src data: https://cdn.example',
        "script-src 'self'",
        `style-src 'sha256-${sha256}'`,
      ]);
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="/assets/challenge.js" defer>']);
      expect(html).not.toMatch(/\s(on\w+|style)=|javascript:/i);
    });

    test("uses the language of the browser or project, and the project's colours", async () => {
      const { link } = await shop.challenged();
      await shop.visitor.open(link);
      const german = await shop.visitor.get(new URL(link).pathname, { 'Accept-Language': 'de-DE,de' });
      expect(german.html).toContain('<html lang="de">');
      expect(german.text).toContain('Code senden per E-Mail');
      await start({ challenge_page: { language: 'de', colour: '#ffcc00' } });
      const own = await shop.visitor.open((await shop.challenged()).link, { 'Accept-Language': 'en' });
      expect(own.text).toContain('Bestätigen Sie, dass Sie es sind');
      expect(own.html).toContain('light-dark(#ffcc00, #ffcc00)');
    });

    test('limits the requests of one IP address without affecting others', async () => {
      // Without parsing the pages, so that a slow machine also sends more than the limit within a second.
      const ask = (from: string) =>
        fetch(`${service.url}/challenge/of-nobody`, { headers: { 'X-Forwarded-For': from } });
      const answers = await Promise.all(Array.from({ length: 300 }, () => ask('203.0.113.9')));
      const refused = answers.find(({ status }) => status === 429);
      expect(await refused?.text()).toMatch(/Too many requests.*Wait a moment, then try again\./s);
      expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(await (await ask('203.0.113.10')).text()).toContain('This link is no longer valid');
    });

    test('responds with 405 to other methods', async () => {
      const { id } = await shop.challenged();
      const answer = await fetch(`${service.url}/challenge/${id}/send`);
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
    });
  });
});
