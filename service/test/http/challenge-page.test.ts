import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../src/testing.js';
import { openPageShop, type PageShop, returnUrl } from '../support/challenge-page.js';
import { differentCode, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import type { SeenPage } from '../support/visitor.js';

describeDatabases('the managed challenge page', (kind) => {
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

  describe('the code', () => {
    test('is sent on request, completes the challenge, trusts the device and redirects to the return URL', async () => {
      const { id, link } = await shop.challenged();
      const page = await shop.visitor.open(link);
      expect(page.text).toContain('from a new device or place');
      expect(page.text).toContain('Send code by email to a***@e******.com');
      expect(service.outbox).toEqual([]);
      const asked = await shop.visitor.submitAndFollow('send', { channel: 'email' });
      expect(asked.text).toMatch(/We sent a code to a\*\*\*@.*You have 5 attempts left/);
      expect(asked.html).toMatch(/<input id="code"[^>]*inputmode="numeric" autocomplete="one-time-code"/);
      const wrong = await shop.visitor.submitAndFollow('code', { code: differentCode(shop.newestCode()) });
      expect(wrong.text).toMatch(/This code is wrong.*You have 4 attempts left/);
      const code = shop.newestCode();
      const right = await shop.visitor.submit('code', { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
      expect([right.status, right.headers.get('Location')]).toEqual([303, returnUrl]);
      expect(await shop.statusOf(id)).toBe('completed');
      const again = await shop.customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: home });
      expect(again).toMatchObject({ verdict: 'allow', reasons: [] });
      const done = await shop.visitor.get(`/challenge/${id}`);
      expect(done.text).toContain('Thank you');
      expect(done.html).toContain(`href="${returnUrl}"`);
      expect(await shop.eventTypes()).toEqual(
        expect.arrayContaining(['challenge.viewed', 'challenge.pending', 'challenge.completed']),
      );
    });

    test('does not redirect to a URL that is not allowed', async () => {
      const { challenge_url } = await shop.customer.challenge('ann');
      await shop.visitor.open(`${challenge_url}&return_url=${encodeURIComponent('https://evil.example/')}`);
      await shop.visitor.submitAndFollow('send');
      const end = await shop.visitor.submitAndFollow('code', { code: shop.newestCode() });
      expect(end.text).toContain('Thank you');
      expect(end.html).not.toContain('evil.example');
    });

    test('is sent by the chosen channel', async () => {
      const { link } = await shop.challenged('ann', { phone: '+4917012345678' });
      const { text } = await shop.visitor.open(link);
      expect(text).toMatch(/Send code by text message to \S*78.*Send code by email to/);
      await shop.visitor.submit('send', { channel: 'email' });
      expect(service.outbox.map(({ channel }) => channel)).toEqual(['email']);
    });

    test('is bound to the site where it is entered: the service, or the shop if the shop sends it', async () => {
      const { link } = await shop.challenged('ann', { phone: '+4917012345678' });
      await shop.visitor.open(link);
      await shop.visitor.submit('send');
      const { id } = await shop.challenged('ben', { phone: '+4917012345679' });
      await shop.customer.ask(`/v2/challenges/${id}/send`);
      const sites = service.outbox.map(({ project: { origin: site } }) => site);
      expect(sites).toEqual(['https://fraud.example', origin]);
    });

    test('can be sent again after 30 seconds, which the page counts down, and at most 5 times', async () => {
      service.clock.stop();
      const { link } = await shop.challenged();
      await shop.visitor.open(link);
      const first = await shop.visitor.submitAndFollow('send');
      expect(/<span data-seconds>(\d+)</.exec(first.html)?.[1]).toBe('30');
      const early = await shop.visitor.submitAndFollow('send');
      expect(early.text).toMatch(/You can request a new code in \d+ seconds/);
      expect(service.outbox).toHaveLength(1);
      let last: SeenPage = early;
      for (let sends = 2; sends <= 5; sends++) {
        service.clock.advance(31_000);
        last = await shop.visitor.submitAndFollow('send');
        expect(service.outbox).toHaveLength(sends);
      }
      expect(last.text).toContain('You cannot request any more codes for this verification');
      expect(last.html).not.toContain('/send"');
    });

    test('limits attempts to 5, rejects malformed codes, and expires after 10 minutes', async () => {
      const { link } = await shop.challenged();
      await shop.visitor.open(link);
      await shop.visitor.submitAndFollow('send');
      expect((await shop.visitor.submitAndFollow('code', { code: '12' })).text).toMatch(
        /six digits.*You have 5 attempts left/,
      );
      let page: SeenPage | undefined;
      for (let tries = 0; tries < 5; tries++) {
        page = await shop.visitor.submitAndFollow('code', { code: differentCode(shop.newestCode()) });
      }
      expect(page?.html).not.toContain('/code"');
      expect(page?.text).toContain('Request a new code Too many wrong codes. The code that we sent no longer works.');
      expect(page?.text).not.toContain('try again');
      expect(page?.text).toMatch(/You can request a new code in \d+ seconds\. Send new code/);
      service.clock.advance(31_000);
      expect((await shop.visitor.submitAndFollow('send')).text).toContain('You have 5 attempts left');
      service.clock.advance(10 * minuteMs);
      const late = await shop.visitor.submitAndFollow('code', { code: shop.newestCode() });
      expect(late.text).toContain('This code has expired');
      expect(late.html).not.toContain('/code"');
    });

    test('is locked for an hour after 10 wrong codes', async () => {
      const { link } = await shop.challenged();
      await shop.visitor.open(link);
      let page: SeenPage | undefined;
      for (let tries = 0; tries < 11; tries++) {
        if (tries % 5 === 0) {
          service.clock.advance(31_000);
          await shop.visitor.submitAndFollow('send');
        }
        page = await shop.visitor.submitAndFollow('code', { code: differentCode(shop.newestCode()) });
      }
      expect(page?.text).toMatch(/Too many wrong codes. Try again in \d+ minutes/);
    });

    test('cannot be sent to a user without contacts, who cannot proceed', async () => {
      const { id, link } = await shop.challenged('ann', { email: undefined });
      const { text, html } = await shop.visitor.open(link);
      expect(text).toContain('We cannot reach you');
      expect(html).not.toMatch(/\/(send|code|finish)"/);
      await shop.visitor.post(`/challenge/${id}/finish`);
      expect(await shop.statusOf(id)).toBe('pending');
    });
  });

  test('skips the challenge on "this was not me"', async () => {
    const { id, link } = await shop.challenged();
    await shop.visitor.open(link);
    expect((await shop.visitor.submitAndFollow('skip')).text).toContain('Thank you for telling us');
    expect(await shop.statusOf(id)).toBe('skipped');
    expect(await shop.eventTypes()).toContain('challenge.skipped');
  });

  test('shows that a challenge is closed', async () => {
    await start({ challenge_lifetime_hours: 1 });
    const { id } = await shop.challenged();
    service.clock.advance(59 * minuteMs);
    const { link } = await shop.challenged();
    await shop.visitor.open(link);
    service.clock.advance(2 * minuteMs);
    const page = await shop.visitor.get(`/challenge/${id}`);
    expect(page.text).toContain('This verification has expired');
    expect(page.html).not.toContain('<form');
  });

  describe('the device list', () => {
    beforeEach(async () => {
      await start({ device_limit: { overall: 1 } });
      Object.assign(shop.visitor, { fingerprint: phone, address: elsewhere });
      await shop.customer.ask('/v2/device/attach', {
        user: 'ann',
        fingerprint: laptop,
        ip: home,
        email: 'ann@example.com',
      });
    });
    const over = () => shop.challenged('ann', { fingerprint: phone, ip: elsewhere });
    const deviceIn = ({ html }: SeenPage) => /name="device" value="([^"]+)"/.exec(html)?.[1] ?? '';

    test('says how many whole days ago a device was used', async () => {
      service.clock.advance(47 * hourMs);
      const { link } = await over();
      await shop.visitor.open(link);
      await shop.visitor.submitAndFollow('send');
      const list = await shop.visitor.submitAndFollow('code', { code: shop.newestCode() });
      expect(list.text).toContain('last seen 1 day ago,');
    });

    test('is shown after a code was entered, and requires signing out a device to make room', async () => {
      const { id, link } = await over();
      const before = await shop.visitor.open(link);
      expect(before.text).toContain('used on more devices than allowed');
      expect(before.html).not.toMatch(/Chrome|198\.51|kick/);
      await shop.visitor.submitAndFollow('send');
      const list = await shop.visitor.submitAndFollow('code', { code: shop.newestCode() });
      expect(list.text).toMatch(/Your devices.*last seen this minute, IP address 198\.51\.x\.x.*Sign out/);
      expect(list.html).not.toContain('/finish"');
      expect(await shop.statusOf(id)).toBe('pending');
      const after = await shop.visitor.submitAndFollow('kick', { device: deviceIn(list) });
      expect(after.text).toContain('The device was signed out.');
      const end = await shop.visitor.submit('finish');
      expect(end.headers.get('Location')).toBe(returnUrl);
      expect(await shop.statusOf(id)).toBe('completed');
      expect(await shop.eventTypes()).toContain('device.detached');
    });

    test('cannot be used or skipped before a code was entered', async () => {
      const { id, link } = await over();
      await shop.visitor.open(link);
      const [device] = (await shop.customer.get(`/v2/challenges/${id}/devices`)).body.data;
      expect((await shop.visitor.post(`/challenge/${id}/kick`, { device: device._id })).status).toBe(303);
      expect((await shop.visitor.post(`/challenge/${id}/finish`)).status).toBe(303);
      expect(await shop.statusOf(id)).toBe('pending');
      expect((await shop.customer.get('/v2/user/ann/devices?status=attached')).body.total).toBe(1);
    });

    test('cannot be skipped while the limit is exceeded, and cannot sign out devices of others', async () => {
      const other = await shop.customer.ask('/v2/device/attach', { user: 'ben', fingerprint: phone, ip: elsewhere });
      const { id, link } = await over();
      await shop.visitor.open(link);
      await shop.visitor.submitAndFollow('send');
      await shop.visitor.submitAndFollow('code', { code: shop.newestCode() });
      await shop.visitor.submit('kick', { device: other.device_id });
      expect((await shop.customer.get('/v2/user/ben/devices?status=attached')).body.total).toBe(1);
      await shop.visitor.post(`/challenge/${id}/finish`);
      expect((await shop.visitor.get(`/challenge/${id}`)).text).toContain('Sign out a device first.');
      expect(await shop.statusOf(id)).toBe('pending');
    });
  });
});
