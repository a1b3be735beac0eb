import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf, elsewhere, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestService } from '../support/service.js';

/** IP address of claims: the address of the test's own connection. */
const here = '127.0.0.1';

/** A revocation by an operator stays in effect, at whatever step of a login it happens. */
describeDatabases('revocation', (kind) => {
  let service: TestService;
  let customer: Customer;
  /** State of the current scenario, separate from the others. */
  let scenario = 0;
  let user: string;
  let laptop: string;
  let phone: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  const next = () => {
    scenario += 1;
    user = `ann ${scenario}`;
    laptop = fingerprintOf({ seed: `laptop ${scenario}` });
    phone = fingerprintOf({ seed: `phone ${scenario}`, descriptor: 'maw18' });
  };
  beforeEach(async () => {
    const rate_limits = { publishable_per_second: 1000, publishable_burst: 1000 };
    customer = customerOf(service, await service.newProject({ allowed_origins: [origin], rate_limits }));
    next();
    // The clock does not move, so that the order of events cannot be derived from time.
    service.clock.stop();
  });

  /** Steps of a login. Each may be refused. */
  interface Login {
    evaluation: string;
    challenge: string | undefined;
  }

  const consume = ({ evaluation }: Login) =>
    customer.post(`/v2/evaluations/${evaluation}/consume`, { user, action: 'login', email: 'ann@example.com' });
  const of = (login: Login, operation: string, body?: object) =>
    customer.post(`/v2/challenges/${login.challenge}/${operation}`, body);
  const steps = {
    consume,
    send: (login: Login) => of(login, 'send'),
    verify: (login: Login) => of(login, 'verify', { code: service.outbox.at(-1)?.code ?? '000000' }),
    complete: (login: Login) => of(login, 'complete'),
  };
  type Step = keyof typeof steps;

  const claimLogin = async (): Promise<Login> => {
    const { evaluation_id, challenge_id } = await customer.claim(user, { fingerprint: laptop });
    return { evaluation: evaluation_id, challenge: challenge_id };
  };
  const secretLogin = async (): Promise<Login> => {
    const request = { action: 'login', user, fingerprint: laptop, ip: here, email: 'ann@example.com' };
    const { evaluation_id, challenge_id } = await customer.evaluate(request);
    return { evaluation: evaluation_id, challenge: challenge_id };
  };

  const laptopOf = async (): Promise<string | undefined> => {
    const { body } = await customer.get(`/v2/user/${user}/devices`);
    return body.data?.find(({ info }: { info: { kind: string } }) => info.kind === 'desktop')?._id;
  };
  const onLaptop = async (act: (id: string) => Promise<unknown>) => {
    const id = await laptopOf();
    if (id !== undefined) await act(id);
    return id !== undefined;
  };
  /** Revocations. Each returns whether there was anything to revoke. */
  const revocations = {
    detach: () => onLaptop((id) => customer.ask(`/v2/device/${id}/detach`)),
    kick: () =>
      onLaptop(async (device) => {
        const tablet = fingerprintOf({ seed: `tablet ${scenario}`, descriptor: 'taw18' });
        const request = { action: 'login', user, fingerprint: tablet, ip: '192.0.2.1', email: 'ann@example.com' };
        const { challenge_id } = await customer.evaluate(request);
        await customer.ask(`/v2/challenges/${challenge_id}/kick`, { device });
      }),
    block: () => onLaptop((id) => customer.ask(`/v2/device/${id}/update`, { status: 'blocked' })),
    suspend: async () => (await customer.post(`/v2/user/${user}/update`, { status: 'suspended' })).status === 200,
    delete: async () => (await customer.post(`/v2/user/${user}/delete`)).status === 200,
  };
  type Revocation = keyof typeof revocations;

  const signUp = () =>
    customer.evaluate({ action: 'signup', user, fingerprint: laptop, ip: here, email: 'ann@example.com' });
  /** Ann signs up on her phone, so that the laptop is new to her. */
  const signUpElsewhere = () =>
    customer.evaluate({ action: 'signup', user, fingerprint: phone, ip: elsewhere, email: 'ann@example.com' });

  /** Returns all orders of some steps of a login in which `send` comes before `verify`. */
  const sequences: Step[][] = [
    ['consume'],
    ['complete'],
    ['consume', 'complete'],
    ['complete', 'consume'],
    ['send', 'verify', 'complete'],
    ['send', 'verify', 'complete', 'consume'],
    ['consume', 'send', 'verify', 'complete'],
    ['send', 'consume', 'verify', 'complete'],
    ['send', 'verify', 'consume', 'complete'],
  ];
  const starts: [string, () => Promise<unknown>, () => Promise<Login>][] = [
    ['a claim from a known device', signUp, claimLogin],
    ['a claim from a new device', signUpElsewhere, claimLogin],
    ["the server's evaluation of a new device", signUpElsewhere, secretLogin],
  ];
  const kinds: Revocation[] = ['detach', 'kick', 'block', 'suspend', 'delete'];

  // Hundreds of logins. One database is enough, because the logic is outside of it.
  describe.each(kind === 'postgresql' ? starts : [])('%s', (_name, prepare, begin) => {
    test.each(kinds)('leaves nothing trusted that a %s has ended, at any step', async (revocation) => {
      let revoked = 0;
      for (const sequence of sequences) {
        for (let at = 0; at <= sequence.length; at++) {
          next();
          await prepare();
          const login = await begin();
          const where = `${revocation} before step ${at} of ${sequence.join(', ')}`;
          let hasRevoked = false;
          for (const [index, step] of sequence.entries()) {
            if (index === at) hasRevoked = await revocations[revocation]();
            const { status, body } = await steps[step](login);
            if (!hasRevoked) continue;
            expect(status === 200 && body.verdict === 'allow', `${where}: ${step} allowed`).toBe(false);
          }
          if (at === sequence.length) hasRevoked = await revocations[revocation]();
          if (!hasRevoked) continue;
          revoked += 1;
          const device = (await customer.get(`/v2/user/${user}/devices`)).body.data?.find(
            ({ info }: { info: { kind: string } }) => info.kind === 'desktop',
          );
          // A suspension does not change devices, so that they work again when it is lifted.
          if (revocation !== 'suspend') expect(device?.trusted ?? false, where).toBe(false);
          const again = await customer.evaluate({ action: 'login', user, fingerprint: laptop, ip: here });
          expect(again.verdict, where).not.toBe('allow');
        }
      }
      expect(revoked).toBeGreaterThan(10);
    });
  });

  test('is reported as evaluation_superseded, and does not affect later evaluations', async () => {
    const { device_id } = await signUp();
    const old = await claimLogin();
    await customer.ask(`/v2/device/${device_id}/detach`);
    expect(await consume(old)).toMatchObject({ status: 409, body: { code: 'evaluation_superseded' } });
    const login = await claimLogin();
    expect((await consume(login)).body).toMatchObject({ verdict: 'challenge' });
    await steps.send(login);
    await steps.verify(login);
    expect((await steps.complete(login)).status).toBe(200);
    expect((await customer.claim(user, { fingerprint: laptop })).verdict).toBe('allow');
  });

  test('is reported for a challenge whose device was blocked, even after the block was lifted', async () => {
    await signUpElsewhere();
    const login = await secretLogin();
    await revocations.block();
    expect((await steps.complete(login)).body.code).toBe('evaluation_superseded');
    await customer.ask(`/v2/device/${await laptopOf()}/update`, { status: 'attached' });
    expect((await steps.complete(login)).body.code).toBe('evaluation_superseded');
  });

  test('requires a new challenge afterwards: an earlier verified code no longer counts', async () => {
    await signUpElsewhere();
    const login = await secretLogin();
    await steps.send(login);
    await steps.verify(login);
    await revocations.detach();
    const again = await secretLogin();
    expect(again.challenge).not.toBe(login.challenge);
    expect((await customer.get(`/v2/challenges/${again.challenge}`)).body).not.toHaveProperty('verified_at');
  });
});
