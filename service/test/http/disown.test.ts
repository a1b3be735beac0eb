import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPageShop, type PageShop } from '../support/challenge-page.js';
import { laptop, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('"This was not me" in a message', (kind) => {
  let service: TestService;
  let shop: PageShop;
  let reader: Visitor;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    shop = await openPageShop(service);
    reader = visitorOf(service);
  });

  /** Sends a code with the secret key, and returns its link and code. */
  async function sent() {
    const { id, code } = await shop.customer.sendCode('ann', { fingerprint: laptop });
    const { disownUrl = '' } = service.outbox.at(-1) ?? {};
    return { id, code, link: new URL(disownUrl).pathname };
  }

  const eventsOf = async (type: string) => (await service.events(shop.project)).filter((event) => event.type === type);

  test('is in the message, with the attempt', async () => {
    await sent();
    expect(service.outbox.at(-1)).toMatchObject({
      attempt: { device: { browser: expect.any(String) }, at: expect.any(Date) },
      disownUrl: expect.stringMatching(/\/n\/[\w-]{59}$/),
    });
  });

  test('shows the attempt and changes nothing until the button is pressed', async () => {
    const { id, link } = await sent();
    for (let opened = 0; opened < 2; opened++) {
      const page = await reader.get(link);
      expect([page.status, page.text]).toEqual([200, expect.stringMatching(/Was this not you\?.*Device.*Time/)]);
    }
    await reader.get(`${link}/skip`);
    expect(await shop.statusOf(id)).toBe('pending');
  });

  test('skips the challenge, so that its code no longer works, and tells the customer why', async () => {
    const { id, code, link } = await sent();
    const page = await reader.post(`${link}/skip`, {});
    expect(page.status).toBe(303);
    expect((await reader.get(link)).text).toContain('Thank you for telling us');
    expect(await shop.statusOf(id)).toBe('skipped');
    const answer = await shop.customer.post(`/v2/challenges/${id}/verify`, { code });
    expect([answer.status, answer.body.code]).toEqual([409, 'challenge_closed']);
    const [event, ...others] = await eventsOf('challenge.skipped');
    expect([event?.data, others]).toEqual([expect.objectContaining({ cause: 'disowned' }), []]);
  });

  test('works once', async () => {
    const { link } = await sent();
    for (let pressed = 0; pressed < 2; pressed++) await reader.post(`${link}/skip`, {});
    expect(await eventsOf('challenge.skipped')).toHaveLength(1);
  });

  test('says what to do if the code was already entered', async () => {
    const { id, code, link } = await sent();
    await shop.customer.ask(`/v2/challenges/${id}/verify`, { code });
    await shop.customer.ask(`/v2/challenges/${id}/complete`, {});
    expect((await reader.get(link)).text).toMatch(/already confirmed.*change your .* password/i);
    await reader.post(`${link}/skip`, {});
    expect(await shop.statusOf(id)).toBe('completed');
    expect(await eventsOf('challenge.skipped')).toEqual([]);
  });

  test('closes the challenge of a claim, whose code was sent for a page, and tells the customer once', async () => {
    await shop.customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, email: 'ann@example.com' });
    const { challenge_id: id, challenge_url: url } = await shop.customer.claim('ann', { fingerprint: laptop });
    await reader.open(url);
    const before = service.outbox.length;
    await reader.submit('send');
    await waitFor(() => service.outbox.length > before, { what: 'the message' });
    const { disownUrl = '' } = service.outbox.at(-1) ?? {};
    const untouched = await shop.eventTypes();
    for (let pressed = 0; pressed < 2; pressed++) await reader.post(`${new URL(disownUrl).pathname}/skip`, {});
    expect((await reader.get(`/challenge/${id}`)).text).toMatch(/expired/i);
    expect(await shop.statusOf(id)).toBe('skipped');
    const [event] = await eventsOf('challenge.skipped');
    const challenge = { _id: id, status: 'skipped', user: { external_id: 'ann' } };
    expect(event?.data).toMatchObject({ cause: 'disowned', challenge });
    // The claim was not taken up: no challenge began, and the user has no second device.
    expect((await shop.eventTypes()).toSorted()).toEqual([...untouched, 'challenge.skipped'].toSorted());
    expect((await shop.customer.get('/v2/user/ann/devices')).body.total).toBe(1);
  });

  test('does not tell the customer of the claim that a stranger skips on the page', async () => {
    await shop.customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, email: 'ann@example.com' });
    const { challenge_url: url } = await shop.customer.claim('ann', { fingerprint: laptop });
    await reader.open(url);
    await reader.submit('skip');
    expect(await eventsOf('challenge.skipped')).toEqual([]);
  });

  test.each([
    ['too short', (link: string) => link.slice(0, -1)],
    ['changed', (link: string) => `${link.slice(0, 20)}${link[20] === 'A' ? 'B' : 'A'}${link.slice(21)}`],
    ['of another challenge', (link: string) => `${link.slice(0, 30)}${'A'.repeat(link.length - 30)}`],
  ])('rejects a link that is %s', async (_what, change) => {
    const { id, link } = await sent();
    for (const page of [await reader.get(change(link)), await reader.post(`${change(link)}/skip`, {})]) {
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('This link is no longer valid')]);
    }
    expect(await shop.statusOf(id)).toBe('pending');
  });
});
