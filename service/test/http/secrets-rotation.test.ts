import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVault, createWebhookClient, resealAll, secretsOf, signChallengeLink } from '../../src/testing.js';
import { administratorAt, adminOf, password } from '../support/admin.js';
import { openPageShop } from '../support/challenge-page.js';
import {
  type Customer,
  customerOf,
  differentCode,
  elsewhere,
  home,
  laptop,
  phone,
  tablet,
} from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { holdKey, provingCustomerOf } from '../support/proof.js';
import {
  newSecret,
  oldSecret,
  openRestartableService,
  type RestartableService,
  resealed,
  rotated,
} from '../support/rotation.js';
import type { ApiAnswer, TestProject, TestService } from '../support/service.js';
import { visitorOf } from '../support/visitor.js';
import { webhooksOf } from '../support/webhooks.js';

const email = 'ada@example.com';
const evaluatePath = '/v2/device/evaluate';
const named = { 'Idempotency-Key': 'once' };
const login = { action: 'login', user: 'kim', fingerprint: laptop, ip: home };

/** Data stored and issued under the old master secret. */
interface Traces {
  readonly project: TestProject;
  readonly challenge: { readonly id: string; readonly code: string };
  readonly linked: { readonly id: string; readonly link: string };
  readonly answer: ApiAnswer;
  readonly referral: string;
  readonly nonce: string;
  readonly hardware: { readonly project: TestProject; readonly id: string };
  readonly claims: readonly [string, string];
  readonly webhook: { readonly secret: string; readonly secretMark: string | undefined };
}

const states: readonly [string, (restarted: RestartableService) => Promise<TestService>][] = [
  ['with the previous secret set', (restarted) => restarted.restart(rotated)],
  [
    'after everything is resealed and the previous secret is removed',
    async (restarted) => {
      const service = await restarted.restart(rotated);
      await resealAll(service.service);
      return restarted.restart(resealed);
    },
  ],
];

describeDatabases('a rotation of the master secret', (kind) => {
  describe.each(states)('%s', (_, rotate) => {
    let restarted: RestartableService;
    let service: TestService;
    let traces: Traces;
    let customer: Customer;
    beforeAll(async () => {
      restarted = await openRestartableService(kind);
      traces = await leaveTraces(await restarted.restart());
      service = await rotate(restarted);
      customer = customerOf(service, traces.project);
    });
    afterAll(() => restarted.close());

    test('contacts can be read, and found on the dashboard', async () => {
      const { user } = (await customer.get('/v2/user/ada/export')).body;
      expect(user).toMatchObject({ email, phone: '+491701234567' });
      const admin = await administratorAt(service.url, service.service, 'ines@example.com');
      const base = `/dashboard/${traces.project.project.id}/live/users`;
      await admin.get(base);
      const csrf = admin.fields().get('csrf') ?? '';
      for (const q of [email, '+491701234567']) {
        const found = await admin.post(`${base}/search`, { csrf, q });
        expect(found.headers.get('Location'), q).toBe(`${base}/${user._id}`);
      }
    });

    test('equal contacts are detected', async () => {
      const request = { action: 'signup', user: 'eve', fingerprint: laptop, ip: elsewhere, email };
      const { evaluation_id } = await customer.evaluate(request);
      const { evidence } = (await customer.get(`/v2/evaluations/${evaluation_id}`)).body;
      expect(evidence).toContainEqual(
        expect.objectContaining({ reason: 'multiple_accounts', strength: 'corroborated' }),
      );
    });

    test('a suspended and erased user is still denied', async () => {
      const answer = await customer.evaluate({ action: 'login', user: 'mallory', fingerprint: phone, ip: home });
      expect(answer).toMatchObject({ verdict: 'deny', reasons: expect.arrayContaining(['blocked']) });
    });

    test('a user who is erased again counts as one account', async () => {
      const marksOf = () => service.db.selectFrom('marks').selectAll().orderBy('mark').execute();
      const before = await marksOf();
      await customer.ask('/v2/device/attach', { user: 'max', fingerprint: tablet });
      await customer.ask('/v2/user/max/delete');
      expect(await marksOf()).toEqual(before);
    });

    test('hardware keeps its ID, and its devices are found by it', async () => {
      const { project, id } = traces.hardware;
      const counted = customerOf(service, project);
      const answer = await counted.evaluate({ action: 'login', user: 'uma', fingerprint: laptop, ip: home });
      expect(answer).toMatchObject({ hardware_id: id, hardware_devices: 1 });
      expect((await counted.get(`/v2/devices?hardware_id=${id}`)).body).toMatchObject({ total: 1 });
    });

    test('a code that was sent before is valid', async () => {
      const { id, code } = traces.challenge;
      const verify = (typed: string) => customer.ask(`/v2/challenges/${id}/verify`, { code: typed });
      expect(await verify(differentCode(code))).toMatchObject({ success: false });
      expect(await verify(code)).toEqual({ success: true });
    });

    test('earlier codes to a contact still count', async () => {
      const { challenge_id } = await customer.challenge('ben', { fingerprint: tablet });
      const refused = await customer.post(`/v2/challenges/${challenge_id}/send`);
      expect(refused).toMatchObject({
        status: 429,
        body: { detail: 'At most 10 codes can be sent per hour to this address.' },
      });
    });

    test('a repeated request gets its first response', async () => {
      const { body, headers } = await customer.post(evaluatePath, login, named);
      expect(headers.get('Idempotent-Replayed')).toBe('true');
      expect(body).toEqual(traces.answer.body);
      expect((await customer.post(evaluatePath, { ...login, ip: elsewhere }, named)).status).toBe(422);
    });

    test('webhooks keep their secrets', async () => {
      const row = await service.db.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow();
      expect(secretsOf(service.service, row)).toEqual([traces.webhook.secret]);
      const [endpoint] = await webhooksOf(service.service, traces.project).list();
      expect(endpoint?.secretMark).toBe(traces.webhook.secretMark);
    });

    test('an administrator can sign in, and earlier wrong passwords still count', async () => {
      const visitor = visitorOf(service);
      const signIn = async (typed: string, who = email) => {
        await visitor.get('/dashboard/sign-in');
        return (await visitor.submit('sign-in', { email: who, password: typed }, from)).status;
      };
      expect(await signIn(password)).toBe(303);
      expect(await signIn('wrong', 'other@example.com')).toBe(422);
      expect(await signIn('wrong', 'other@example.com')).toBe(429);
    });

    test('an erased referrer is removed from the evaluations that name it', async () => {
      await customer.ask('/v2/user/referrer/delete');
      const { metadata } = (await customer.get(`/v2/evaluations/${traces.referral}`)).body;
      expect(metadata).toEqual({ campaign: 'spring' });
    });

    test('an earlier claim can be consumed, and another is found by its user', async () => {
      const [consumed, erased] = traces.claims;
      const consume = (id: string, user: string) =>
        customer.post(`/v2/evaluations/${id}/consume`, { user, action: 'login' });
      expect((await consume(consumed, 'fay')).body).toMatchObject({ evaluation_id: consumed, user: 'fay' });
      await customer.ask('/v2/user/gus/delete');
      expect(await consume(erased, 'gus')).toMatchObject({ status: 409, body: { code: 'evaluation_superseded' } });
    });

    test('links to a challenge page signed with the old secret are rejected', async () => {
      const { id, link } = traces.linked;
      const { world_id: worldId } = await service.db
        .selectFrom('challenges')
        .select('world_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const linkOf = (secret: string) => {
        const claims = { challengeId: id, worldId, isClaim: false };
        return `/challenge/${id}?token=${signChallengeLink(createVault(secret), claims, service.clock.now())}`;
      };
      const open = async (address: string) => (await visitorOf(service).get(address)).status;
      expect(await open(link)).toBe(403);
      expect(await open(linkOf(oldSecret))).toBe(403);
      expect(await open(linkOf(newSecret))).toBe(303);
    });

    test('a nonce that was issued before is rejected', async () => {
      const holder = await holdKey();
      const proof = await holder.prove({ nonce: traces.nonce, iat: service.clock.now().getTime() / 1000 });
      const { evaluation_id } = await customer.evaluate({ ...login, proof });
      expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).body.proof).toBe('wrong_nonce');
    });
  });
});

/** Creates data of each kind under the master secret of the service. */
async function leaveTraces(service: TestService): Promise<Traces> {
  const shop = await openPageShop(service);
  const { project, customer } = shop;
  const request = { fingerprint: laptop, ip: home };
  await customer.ask('/v2/device/attach', { user: 'ada', ...request, email, phone: '+49 170 1234567' });
  await customer.ask('/v2/device/attach', { user: 'mallory', fingerprint: phone, ip: home });
  await customer.ask('/v2/user/mallory/update', { status: 'suspended' });
  await customer.ask('/v2/user/mallory/delete');
  await customer.ask('/v2/device/attach', { user: 'max', fingerprint: tablet, ip: home });
  await customer.ask('/v2/user/max/delete');
  await customer.ask('/v2/device/attach', { user: 'referrer', fingerprint: phone, ip: elsewhere });
  const metadata = { referrer: 'referrer', campaign: 'spring' };
  const referred = await customer.evaluate({ action: 'referral', user: 'bob', ...request, metadata });
  await useUpCodes(service, customer);
  await adminOf(service, email);
  await lockAlmost(service);
  const webhooks = webhooksOf({ ...service.service, webhooks: createWebhookClient({ allowPrivate: true }) }, project);
  const counting = await service.newProject({ hardware_id: true });
  const counted = await customerOf(service, counting).evaluate({ ...login, user: 'uma' });
  return {
    project,
    referral: referred.evaluation_id,
    hardware: { project: counting, id: counted.hardware_id },
    challenge: await customer.sendCode('cid', { fingerprint: laptop }),
    linked: await shop.challenged('link'),
    answer: await customer.post(evaluatePath, login, named),
    nonce: await provingCustomerOf(service, project).nonce(),
    claims: [(await customer.claim('fay')).evaluation_id, (await customer.claim('gus')).evaluation_id],
    webhook: {
      secret: (await webhooks.add('http://127.0.0.1:9/')).secret,
      secretMark: (await webhooks.list())[0]?.secretMark,
    },
  };
}

/** Sends the maximum number of codes that one contact gets in an hour. */
async function useUpCodes(service: TestService, customer: Customer): Promise<void> {
  for (const fingerprint of [laptop, phone]) {
    const { challenge_id } = await customer.challenge('ben', { fingerprint });
    for (let times = 1; times <= 5; times++) {
      await customer.ask(`/v2/challenges/${challenge_id}/send`);
      service.clock.advance(31_000);
    }
  }
}

/** IP address of the password attempts. */
const from = { 'X-Forwarded-For': '198.51.100.77' };

/** Enters as many wrong passwords as cause no wait, from one IP address. */
async function lockAlmost(service: TestService): Promise<void> {
  const visitor = visitorOf(service);
  for (let times = 1; times <= 4; times++) {
    await visitor.get('/dashboard/sign-in');
    await visitor.submit('sign-in', { email: 'other@example.com', password: 'wrong' }, from);
  }
}
