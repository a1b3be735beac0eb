import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Customer, customerOf, elsewhere, home, laptop, origin, otherThan, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { type SeenPage, type Visitor, visitorOf } from '../support/visitor.js';

const minuteMs = 60_000;
const returnUrl = `${origin}/cart?item=7`;

describeDatabases('the managed challenge page', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let visitor: Visitor;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  const start = async (settings: Record<string, unknown> = {}) => {
    project = await service.newProject({ managed_challenge_page: true, allowed_origins: [origin], ...settings });
    customer = customerOf(service, project);
    visitor = visitorOf(service);
  };
  beforeEach(() => start());

  const linkTo = (url: string) => `${url}&return_url=${encodeURIComponent(returnUrl)}`;
  /** A challenge of the secret key; answers its id and link. */
  const challenged = async (user = 'ann', more: object = {}) => {
    const { challenge_id, challenge_url } = await customer.challenge(user, more);
    return { id: challenge_id, link: linkTo(challenge_url) };
  };
  const statusOf = async (id: string) => (await customer.get(`/v2/challenges/${id}`)).body.status;
  const newestCode = () => service.outbox.at(-1)?.code ?? '';
  const eventTypes = async () => (await service.events(project)).map(({ type }) => type);

  describe('the code', () => {
    it('is sent when it is asked for, entered, and leads back; the device is trusted then', async () => {
      const { id, link } = await challenged();
      const page = await visitor.open(link);
      expect(page.text).toContain('from a device or a place that we do not know yet');
      expect(page.text).toContain('Send a code by e-mail to a***@e******.com');
      expect(service.outbox).toEqual([]);
      const asked = await visitor.submitAndFollow('send', { channel: 'email' });
      expect(asked.text).toMatch(/We sent a code to a\*\*\*@.*5 tries are left/);
      expect(asked.html).toMatch(/<input id="code"[^>]*inputmode="numeric" autocomplete="one-time-code"/);
      const wrong = await visitor.submitAndFollow('code', { code: otherThan(newestCode()) });
      expect(wrong.text).toMatch(/This code is wrong.*4 tries are left/);
      const code = newestCode();
      const right = await visitor.submit('code', { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
      expect([right.status, right.headers.get('Location')]).toEqual([303, returnUrl]);
      expect(await statusOf(id)).toBe('completed');
      const again = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: home });
      expect(again).toMatchObject({ verdict: 'allow', reasons: [] });
      const done = await visitor.get(`/challenge/${id}`);
      expect(done.text).toContain('Thank you');
      expect(done.html).toContain(`href="${returnUrl}"`);
      expect(await eventTypes()).toEqual(
        expect.arrayContaining(['challenge.viewed', 'challenge.pending', 'challenge.completed']),
      );
    });

    it('leads nowhere else: an address that is not allowed is left out', async () => {
      const { challenge_url } = await customer.challenge('ann');
      await visitor.open(`${challenge_url}&return_url=${encodeURIComponent('https://evil.example/')}`);
      await visitor.submitAndFollow('send');
      const end = await visitor.submitAndFollow('code', { code: newestCode() });
      expect(end.text).toContain('Thank you');
      expect(end.html).not.toContain('evil.example');
    });

    it('goes the way that is chosen', async () => {
      const { link } = await challenged('ann', { phone: '+4917012345678' });
      const { text } = await visitor.open(link);
      expect(text).toMatch(/Send a code by text message to \S*78.*Send a code by e-mail to/);
      await visitor.submit('send', { channel: 'email' });
      expect(service.outbox.map(({ channel }) => channel)).toEqual(['email']);
    });

    it('is sent again after 30 seconds, which the page shows, and 5 times at most', async () => {
      const { link } = await challenged();
      await visitor.open(link);
      const first = await visitor.submitAndFollow('send');
      expect(Number(/<span data-seconds>(\d+)</.exec(first.html)?.[1])).toBeGreaterThan(25);
      const early = await visitor.submitAndFollow('send');
      expect(early.text).toMatch(/Another code can be sent in \d+ seconds/);
      expect(service.outbox).toHaveLength(1);
      let last: SeenPage = early;
      for (let sends = 2; sends <= 5; sends++) {
        service.clock.advance(31_000);
        last = await visitor.submitAndFollow('send');
        expect(service.outbox).toHaveLength(sends);
      }
      expect(last.text).toContain('No more codes can be sent here');
      expect(last.html).not.toContain('/send"');
    });

    it('counts tries, tells what is no code, and is over after 5 tries or 10 minutes', async () => {
      const { link } = await challenged();
      await visitor.open(link);
      await visitor.submitAndFollow('send');
      expect((await visitor.submitAndFollow('code', { code: '12' })).text).toMatch(/six digits.*5 tries are left/);
      let page: SeenPage | undefined;
      for (let tries = 0; tries < 5; tries++) {
        page = await visitor.submitAndFollow('code', { code: otherThan(newestCode()) });
      }
      expect(page?.html).not.toContain('/code"');
      expect(page?.text).toContain('Send a new code');
      service.clock.advance(31_000);
      expect((await visitor.submitAndFollow('send')).text).toContain('5 tries are left');
      service.clock.advance(10 * minuteMs);
      const late = await visitor.submitAndFollow('code', { code: newestCode() });
      expect(late.text).toContain('This code is too old');
      expect(late.html).not.toContain('/code"');
    });

    it('is closed for an hour after 10 wrong ones', async () => {
      const { link } = await challenged();
      await visitor.open(link);
      let page: SeenPage | undefined;
      for (let tries = 0; tries < 11; tries++) {
        if (tries % 5 === 0) {
          service.clock.advance(31_000);
          await visitor.submitAndFollow('send');
        }
        page = await visitor.submitAndFollow('code', { code: otherThan(newestCode()) });
      }
      expect(page?.text).toMatch(/too many wrong codes. Try again in \d+ minutes/);
    });

    it('cannot be sent to a user without an address: nothing is waved through', async () => {
      const { id, link } = await challenged('ann', { email: undefined });
      const { text, html } = await visitor.open(link);
      expect(text).toContain('We cannot reach you');
      expect(html).not.toMatch(/\/(send|code|finish)"/);
      await visitor.post(`/challenge/${id}/finish`);
      expect(await statusOf(id)).toBe('pending');
    });
  });

  it('takes "this was not me": the challenge is skipped', async () => {
    const { id, link } = await challenged();
    await visitor.open(link);
    expect((await visitor.submitAndFollow('skip')).text).toContain('Thank you for telling us');
    expect(await statusOf(id)).toBe('skipped');
    expect(await eventTypes()).toContain('challenge.skipped');
  });

  it('says that a challenge is over', async () => {
    await start({ challenge_lifetime_hours: 1 });
    const { id } = await challenged();
    service.clock.advance(59 * minuteMs);
    const { link } = await challenged();
    await visitor.open(link);
    service.clock.advance(2 * minuteMs);
    const page = await visitor.get(`/challenge/${id}`);
    expect(page.text).toContain('This is over');
    expect(page.html).not.toContain('<form');
  });

  describe('the devices', () => {
    beforeEach(async () => {
      await start({ device_limit: { overall: 1 } });
      await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop, ip: home, email: 'ann@example.com' });
    });
    const over = () => challenged('ann', { fingerprint: phone, ip: elsewhere });
    const deviceIn = ({ html }: SeenPage) => /name="device" value="([^"]+)"/.exec(html)?.[1] ?? '';

    it('are shown once a code was entered, and one has to go before this one has room', async () => {
      const { id, link } = await over();
      const before = await visitor.open(link);
      expect(before.text).toContain('in use on more devices than are allowed');
      expect(before.html).not.toMatch(/Chrome|198\.51|kick/);
      await visitor.submitAndFollow('send');
      const list = await visitor.submitAndFollow('code', { code: newestCode() });
      expect(list.text).toMatch(/Your devices.*last seen this minute, address 198\.51\.x\.x.*Sign out/);
      expect(list.html).not.toContain('/finish"');
      expect(await statusOf(id)).toBe('pending');
      const after = await visitor.submitAndFollow('kick', { device: deviceIn(list) });
      expect(after.text).toContain('The device is signed out.');
      const end = await visitor.submit('finish');
      expect(end.headers.get('Location')).toBe(returnUrl);
      expect(await statusOf(id)).toBe('completed');
      expect(await eventTypes()).toContain('device.detached');
    });

    it('are neither signed out nor passed by before a code was entered', async () => {
      const { id, link } = await over();
      await visitor.open(link);
      const [device] = (await customer.get(`/v2/challenges/${id}/devices`)).body.data;
      expect((await visitor.post(`/challenge/${id}/kick`, { device: device._id })).status).toBe(303);
      expect((await visitor.post(`/challenge/${id}/finish`)).status).toBe(303);
      expect(await statusOf(id)).toBe('pending');
      expect((await customer.get('/v2/user/ann/devices?status=attached')).body.total).toBe(1);
    });

    it('cannot be passed by where the limit is exceeded, nor can those of others be signed out', async () => {
      const other = await customer.ask('/v2/device/attach', { user: 'ben', fingerprint: phone, ip: elsewhere });
      const { id, link } = await over();
      await visitor.open(link);
      await visitor.submitAndFollow('send');
      await visitor.submitAndFollow('code', { code: newestCode() });
      await visitor.submit('kick', { device: other.device_id });
      expect((await customer.get('/v2/user/ben/devices?status=attached')).body.total).toBe(1);
      await visitor.post(`/challenge/${id}/finish`);
      expect((await visitor.get(`/challenge/${id}`)).text).toContain('Sign a device out first.');
      expect(await statusOf(id)).toBe('pending');
    });
  });
});
