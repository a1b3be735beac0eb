import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Whorl } from 'whorl/server';
import { call } from '../package/run-sample';
import { chromium } from './harness/chromium';
import { freePort } from './harness/free-port';
import { until } from './harness/until';
import { newAccount } from './support/accounts';
import { newestCode } from './support/demo';
import { Playground } from './support/playground';
import { complaints, waitLongerForIndexedDb } from './support/whorl';

/** Runs the page samples of the docs unchanged, with the server samples of the same page. */
describe.skipIf(!chromium.available())('the samples of the docs, in a page', () => {
  let playground: Playground;
  let whorl: Whorl;

  beforeAll(async () => {
    playground = await Playground.open(chromium, []);
    whorl = await playground.client();
  });
  afterAll(() => playground?.close());
  beforeEach(() => {
    playground.handlers = {};
  });

  /** Enters the code that was sent by email, as in the code flow of the docs. */
  async function enterCode(challengeId: string, email: string): Promise<void> {
    const code = await newestCode(playground.demo, email);
    expect(await whorl.challenges.verify(challengeId, { code })).toEqual({ success: true });
    await whorl.challenges.complete(challengeId);
  }

  /** Logs in twice in the page: first with a challenge and a code by email, then without. */
  async function logInTwice(account: { email: string }, logIn: () => Promise<LogIn>): Promise<void> {
    const first = await logIn();
    expect(first).toMatchObject({ verdict: 'challenge', challenge_id: expect.any(String) });
    expect(await whorl.evaluations.retrieve(first.evaluation_id)).toMatchObject({ proof: 'valid' });
    await whorl.challenges.send(first.challenge_id);
    await enterCode(first.challenge_id, account.email);
    expect(await logIn()).toMatchObject({ verdict: 'allow' });
    expect(await complaints(playground.page)).toEqual([]);
  }

  interface LogIn {
    readonly evaluation_id: string;
    readonly challenge_id: string;
  }

  describe('README.md and docs/package.md', () => {
    test('a login with a bundler', async () => {
      const account = newAccount();
      const server = await playground.importModule(playground.code('README.md, Use it, 1'));
      playground.handlers = {
        '/login/nonce': (_, ip) => call(server, 'giveNonce', ip),
        '/login': (body, ip) => call(server, 'judge', account, body, ip),
      };
      await playground.openModule(playground.code('README.md, Whorl, 2'));
      await logInTwice(account, () => playground.call('logIn', account.email, 'correct horse'));
    });

    test('a script tag, whose file has the integrity', async () => {
      const app = 'globalThis.logIn = async () => (await Whorl.collect()).fingerprint;';
      await playground.openPage(playground.code('docs/package.md, With a script tag, 1'), { '/app.js': app });
      expect(await playground.page.evaluate('logIn()')).toMatch(/^w1\./);
      expect(await complaints(playground.page)).toEqual([]);
    });

    test('an ES module without a bundler', async () => {
      await playground.openPage(playground.code('docs/package.md, As an ES module without a bundler, 1'));
      await until(
        'The title',
        async () => (await playground.page.evaluate<boolean>('/^w1/.test(document.title)')) || undefined,
      );
      expect(await complaints(playground.page)).toEqual([]);
    });

    test('a look inside, and a picture', async () => {
      await playground.openModule(playground.code('docs/package.md, Inspect the readings, 1'));
      await until('The readings', async () => {
        const lines = (await playground.page.messages()).map(({ text }) => text);
        return lines.some((line) => /^maths ok /.test(line)) || undefined;
      });
      await playground.openModule(playground.code('docs/package.md, Inspect the readings, 2'));
      const shapes = await playground.page.evaluate(() => {
        const fingerprint =
          'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA';
        window.sample.draw?.(document.body, fingerprint, '');
        return document.querySelectorAll('svg path').length;
      });
      expect(shapes).toBeGreaterThan(10);
    });
  });

  describe('docs/evaluate.md', () => {
    test('a login, of an unknown account', async () => {
      const account = newAccount();
      const remembered: string[] = [];
      const server = await playground.importModule(playground.code('docs/evaluate.md, On your server, 1'), {
        whorl,
        remember: (_: string, challengeId: string) => remembered.push(challengeId),
      });
      playground.handlers = { '/login/finish': ({ token }) => call(server, 'finishLogin', token, account) };
      await playground.openModule(playground.code('docs/evaluate.md, In a page with a bundler, 1'));
      const logIn = () =>
        playground.page.evaluate(async (user) => {
          const response = await window.sample.logIn?.(user);
          return (response as Response).json();
        }, account.id);
      expect(await logIn()).toBe('challenge');
      await enterCode(remembered[0] ?? '', account.email);
      expect(await logIn()).toBe('allow');
    });

    test('a token with a script tag', async () => {
      const account = newAccount();
      const app =
        'async function tokenFor(user) { return (await Whorl.evaluate({ action: "login", user, onChallenge() {} })).token; }';
      await playground.openPage(playground.code('docs/evaluate.md, With a script tag, 1'), { '/app.js': app });
      const token = await playground.page.evaluate<string>(`tokenFor('${account.id}')`);
      const server = await playground.importModule(playground.code('docs/evaluate.md, On your server, 1'), {
        whorl,
        remember: () => undefined,
      });
      expect(await call(server, 'finishLogin', token, account)).toBe('challenge');
      await expect(call(server, 'finishLogin', token, account)).rejects.toMatchObject({ code: 'already_consumed' });
      await expect(call(server, 'finishLogin', token, newAccount())).rejects.toMatchObject({ code: 'claim_mismatch' });
    });

    test('the evidence without a verdict', async () => {
      await playground.openModule(playground.code('docs/evaluate.md, Where no verdict came, 1'));
      await waitLongerForIndexedDb(playground.page);
      const { nonce } = await whorl.devices.nonce();
      const evidenceFor = (baseUrl: string) =>
        playground.page.evaluate(
          (user, options, given) => window.sample.evidenceFor?.(user, { ...options, onChallenge() {} }, given),
          newAccount().id,
          { clientId: playground.project.publishable, baseUrl },
          nonce,
        );
      expect(await evidenceFor(playground.demo.serviceUrl)).toEqual({ token: expect.any(String) });
      expect(await evidenceFor(`http://localhost:${await freePort()}`)).toMatchObject({
        fingerprint: expect.stringMatching(/^w1\./),
        proof: expect.any(String),
      });
    });
  });

  describe('docs/events.md', () => {
    test('a page that signs out when its device is detached', async () => {
      await playground.openModule("export { collect } from 'whorl';");
      const collected = await playground.call<{ fingerprint: string }>('collect');
      const { device_id, device_token } = await whorl.devices.attach({ user: newAccount().id, ...collected });
      const code = playground.code('docs/events.md, The events of a device, 1');
      const given = `const deviceToken = ${JSON.stringify(device_token)};\n${code.replace(/^declare.*$/m, '')}`;
      await playground.openModule(given, { '/signed-out': 'Signed out' });
      await whorl.devices.detach(device_id);
      await until(
        'The signed-out page',
        async () =>
          (await playground.page.evaluate<boolean>(
            "location.pathname + location.search === '/signed-out?cause=detach'",
          )) || undefined,
      );
    });

    test('the script tags', async () => {
      await playground.openPage(playground.code('docs/events.md, The events of a device, 2'));
      expect(await playground.page.evaluate('typeof Whorl.onDetached + typeof Whorl.collect')).toBe('functionfunction');
    });
  });
});
