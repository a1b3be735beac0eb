import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPageShop, type PageShop } from '../support/challenge-page.js';
import { laptop, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { holdKey, type KeyHolder, provingCustomerOf } from '../support/proof.js';
import { startService, type TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';

/** Addresses of two networks, in the databases that come with the service. */
const attackersPlace = '8.8.8.8';
const victimsPlace = '1.1.1.1';

/** Origin of the page, with `PUBLIC_URL` of the tests. */
const pageOrigin = 'https://fraud.example';

/** Another device with the same browser and system as `laptop`. */
const attackers = fingerprintOf({ seed: 'laptop', changed: ['cpu', 'gpu'] });
/** `laptop`, read with a `scope`: all facets differ. */
const scoped = fingerprintOf({ seed: 'laptop in a scope' });

describeDatabases('the browser that opens the managed challenge page', (kind) => {
  let service: TestService;
  let shop: PageShop;
  let victim: Visitor;
  let csrf = '';
  let holder: KeyHolder;
  beforeAll(async () => {
    holder = await holdKey();
    service = await startService({ database: kind, environment: { ADDRESS_DATABASES: '' } });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    shop = await openPageShop(service);
    victim = visitorOf(service);
  });

  /** Opens a link, answers the page's check, and tries every form of the page. */
  async function follow(
    { id, link }: { id: string; link: string },
    { fingerprint = '', from = victimsPlace, key = holder },
  ) {
    const headers = { 'X-Forwarded-For': from };
    await victim.get(link, headers);
    const shown = await victim.get(`/challenge/${id}`, headers);
    csrf = victim.fields().get('csrf') ?? '';
    const nonce = /data-nonce="([^"]+)"/.exec(shown.html)?.[1];
    const iat = service.clock.now().getTime() / 1000;
    const proof = nonce ? await key.prove({ nonce, origin: pageOrigin, fingerprint, iat }) : '';
    await victim.submit('browser', { fingerprint, proof }, headers);
    return victim.get(`/challenge/${id}`, headers);
  }

  /** Posts every form, with a valid CSRF token. */
  async function tryAll(id: string) {
    for (const name of ['send', 'confirm', 'send', 'code', 'kick', 'finish'])
      await victim.post(`/challenge/${id}/${name}`, { code: '123456', csrf });
  }

  const kinds = [
    ['with the secret key', 'secret'],
    ['by a page, with the publishable key', 'publishable'],
  ] as const;
  describe.each(kinds)('a challenge that began %s', (_what, key) => {
    async function begin(fingerprint: string) {
      if (key === 'secret') return shop.challenged('ann', { fingerprint, ip: attackersPlace });
      await shop.customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, email: 'ann@example.com' });
      const { challenge_id, challenge_url } = await shop.customer.claim('ann', { fingerprint });
      return { id: challenge_id, link: challenge_url };
    }

    test('is refused in another browser, which is told why, and nothing is sent', async () => {
      const begun = await begin(attackers);
      const page = await follow(begun, { fingerprint: laptop });
      expect([page.status, page.headers.get('Whorl-Error-Code')]).toEqual([403, 'challenge_of_another_browser']);
      expect(page.text).toMatch(/Did somebody send you this link\?.*We have sent no code/);
      expect(page.html).not.toContain('<form');
      await tryAll(begun.id);
      expect(service.outbox).toEqual([]);
      expect(await shop.statusOf(begun.id)).toBe('pending');
    });

    test('asks a browser without a script before anything is sent', async () => {
      const begun = await begin(laptop);
      const page = await follow(begun, { from: attackersPlace });
      expect(page.text).toMatch(/Is this you\?.*Device Chromium, \w+ Place .*Time .*UTC/);
      await victim.post(`/challenge/${begun.id}/send`);
      expect(service.outbox).toEqual([]);
      expect((await victim.submitAndFollow('confirm')).text).toContain('Send code');
    });
  });

  test('is refused without a script, or for a fingerprint that cannot be compared, in another network', async () => {
    const begun = await shop.challenged('ann', { fingerprint: 'undefined', ip: attackersPlace });
    expect((await follow(begun, { fingerprint: laptop })).status).toBe(403);
    await tryAll(begun.id);
    expect(service.outbox).toEqual([]);
  });

  test('is asked if the evaluation used a scope that is not set, and refused in another network', async () => {
    const inSamePlace = await shop.challenged('ann', { fingerprint: scoped, ip: attackersPlace });
    const asked = await follow(inSamePlace, { fingerprint: laptop, from: attackersPlace });
    expect(asked.text).toContain('Is this you?');
    victim = visitorOf(service);
    const elsewhere = await shop.challenged('bea', { fingerprint: scoped, ip: attackersPlace });
    expect((await follow(elsewhere, { fingerprint: laptop })).status).toBe(403);
  });

  test('is asked if its fingerprint was copied by someone in another network', async () => {
    const begun = await shop.challenged('ann', { ip: attackersPlace });
    const page = await follow(begun, { fingerprint: laptop });
    expect(page.text).toMatch(/Is this you\?.*Place United States Network Google.*If you opened a link/);
    await victim.post(`/challenge/${begun.id}/send`);
    expect(service.outbox).toEqual([]);
    expect((await victim.submitAndFollow('skip')).text).toContain('Thank you for telling us');
    expect(await shop.statusOf(begun.id)).toBe('skipped');
  });

  test.each([
    ['the evaluation has no address', undefined, victimsPlace],
    ["the evaluation's network is unknown", '203.0.113.9', victimsPlace],
    ["the visitor's network is unknown", attackersPlace, '203.0.113.9'],
  ])('is asked, although its fingerprint is the same, if %s', async (_what, ip, from) => {
    const begun = await shop.challenged('ann', { ip });
    const page = await follow(begun, { fingerprint: laptop, from });
    expect(page.text).toMatch(/Is this you\?.*Device Chromium, \w+ Place .*Time .*UTC/);
    for (const name of ['send', 'code', 'kick', 'finish'])
      await victim.post(`/challenge/${begun.id}/${name}`, { code: '123456', csrf });
    expect(service.outbox).toEqual([]);
    expect(await shop.statusOf(begun.id)).toBe('pending');
    expect((await victim.submitAndFollow('confirm')).text).toContain('Send code');
  });

  test('shows the attempt in German, before a code is sent', async () => {
    const begun = await shop.challenged('ann', { ip: attackersPlace });
    const headers = { 'X-Forwarded-For': attackersPlace, 'Accept-Language': 'de' };
    const { text } = await victim.open(begun.link, headers);
    expect(text).toMatch(/Gerät Chromium, \w+ Ort Vereinigte Staaten Netz Google.*Zeit .*Code senden/);
  });

  describe('if the evaluation proved a key', () => {
    /** Begins a challenge whose page has the service's origin, or one of its own. */
    async function beginWithKey(origin: string) {
      const { project } = await openPageShop(service, { allowed_origins: [origin] });
      const customer = provingCustomerOf(service, project);
      await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, email: 'ann@example.com' });
      const proof = await customer.proofOf(holder, { origin });
      const request = { action: 'login', user: 'ann', fingerprint: laptop, ip: attackersPlace, proof };
      const { challenge_id: id, challenge_url: link } = await customer.evaluate(request);
      return { id, link };
    }

    test('continues with the same key, even in another network', async () => {
      const page = await follow(await beginWithKey(pageOrigin), { fingerprint: laptop });
      expect(page.text).toContain('Send code');
    });

    test('is refused with another key, although fingerprint and network are the same', async () => {
      const visiting = { fingerprint: laptop, from: attackersPlace, key: await holdKey() };
      const begun = await beginWithKey(pageOrigin);
      expect((await follow(begun, visiting)).status).toBe(403);
      await tryAll(begun.id);
      expect(service.outbox).toEqual([]);
    });

    test('compares the fingerprint if the key may belong to another origin', async () => {
      const visiting = { fingerprint: laptop, from: attackersPlace, key: await holdKey() };
      expect((await follow(await beginWithKey('https://shop.example'), visiting)).text).toContain('Send code');
    });
  });

  test('is compared once, so that it cannot be tried again', async () => {
    const begun = await shop.challenged();
    await follow(begun, { fingerprint: phone });
    await victim.post(`/challenge/${begun.id}/browser`, { fingerprint: laptop, csrf });
    expect((await victim.get(`/challenge/${begun.id}`)).status).toBe(403);
  });
});
