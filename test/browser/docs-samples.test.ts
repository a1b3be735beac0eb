import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Whorl } from 'whorl/server';
import type { Evaluation } from 'whorl/wire';
import { download } from '../package/download';
import { call } from '../package/run-sample';
import { oldLibraries } from '../package/samples';
import { chromium } from './harness/chromium';
import { freePort } from './harness/free-port';
import { until } from './harness/until';
import { newestCode } from './support/demo';
import { Playground } from './support/playground';
import { complaints, waitLongerForIndexedDb } from './support/whorl';

let users = 0;

/** Returns an account that is unknown to the service. */
function newAccount() {
  const id = `account-${++users}`;
  return { id, email: `${id}@example.com` };
}

/** Runs the page samples of the docs unchanged, with the server samples of the same page. */
describe.skipIf(!chromium.available())('the samples of the docs, in a page', () => {
  let playground: Playground;
  let whorl: Whorl;

  beforeAll(async () => {
    playground = await Playground.open(chromium, oldLibraries);
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

  /** Enters each code as soon as it was sent. The page exports the object that `whorlPage` returned. */
  async function enterCodes(email: string): Promise<void> {
    playground.handlers['/code'] = () => newestCode(playground.demo, email);
    await playground.page.evaluate(`sample.page.subscribe(async (challenge) => {
      if (!challenge?.sentTo || challenge.isPending) return;
      challenge.verify(await (await fetch('/code', { method: 'POST', body: '{}' })).json());
    })`);
  }

  test('docs/sign-in.md: a page prepares the sign-in, and asks for the code', async () => {
    const account = newAccount();
    await playground.serveLogin(account);
    await playground.openModule(playground.code('docs/sign-in.md, In the page, 1'));
    await enterCodes(account.email);
    const answers = await playground.page.evaluate(async () => {
      const { prepare, confirm } = window.sample;
      const post = async (path: string, body: string) => (await fetch(path, { method: 'POST', body })).json();
      const signIn = async () => {
        await prepare?.();
        const [, fields = ''] = /whorl=([^;]*)/.exec(document.cookie) ?? [];
        return post('/login', decodeURIComponent(fields));
      };
      const confirmAfter = ({ code = '' }: Record<string, string>) => {
        history.replaceState(null, '', `?${new URLSearchParams({ code })}`);
        return confirm?.();
      };
      const first = await signIn();
      const said = [await confirmAfter(first), await confirmAfter({ code: 'denied' }), await confirmAfter({})];
      return [first, said, await signIn()];
    });
    const said = ['', 'This sign-in was refused.', 'That did not work. Try again in a moment.'];
    expect(answers).toMatchObject([{ code: 'challenge_required' }, said, { user: account.id }]);
    expect(await complaints(playground.page)).toMatchObject([{ text: expect.stringContaining('403') }]);
  });

  test('docs/sign-in.md: a page reads the answers of Auth.js', async () => {
    const account = newAccount();
    await playground.serveLogin(account);
    const { '/login': logIn } = playground.handlers;
    playground.handlers['/auth/csrf'] = () => ({ csrfToken: 'a token' });
    // As in test/browser/examples.test.ts, where Auth.js itself answers.
    playground.handlers['/auth/callback/credentials'] = async (body, ip, headers) => {
      const answer = await logIn?.(body, ip, headers);
      const { code } = answer instanceof Response ? await answer.json() : Object(answer);
      const query: Record<string, string> = code ? { code } : {};
      const isWrong = answer instanceof Response && answer.status === 401;
      const url = `${playground.origin}/?${new URLSearchParams(isWrong ? { error: 'CredentialsSignin' } : query)}`;
      const cookie = answer instanceof Response ? answer.headers.get('set-cookie') : null;
      return Response.json({ url }, { headers: cookie ? { 'set-cookie': cookie } : {} });
    };
    await playground.openModule(playground.code('docs/sign-in.md, Auth.js, 2'));
    await enterCodes(account.email);
    const answers = await playground.page.evaluate(async (email) => {
      const form = document.createElement('form');
      const enter = (password: string) => {
        form.innerHTML = `<input name="email" value="${email}" /><input name="password" value="${password}" />`;
        return window.sample.signIn?.(form);
      };
      return [await enter('wrong'), await enter('right')];
    }, account.email);
    expect(answers).toMatchObject([
      { ok: false, status: 401, detail: 'Wrong email address or password.' },
      { ok: true, status: 200 },
    ]);
  });

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

  test('docs/assistants.md: a login lets an unknown account in after a code', async () => {
    const account = newAccount();
    const session: { challengeId?: string } = {};
    const declared = {
      whorl,
      findAccount: async (email: string) => (email === account.email ? account : undefined),
      isPasswordOf: async (found: object | undefined, password: string) =>
        found === account && password === 'correct horse',
      letIn: (accountId: string, rights: string) => Response.json({ accountId, rights }),
      remember: (_: string, challengeId: string) => Object.assign(session, { challengeId }),
      recall: () => ({ accountId: account.id, challengeId: session.challengeId }),
    };
    const server = await playground.importModule(playground.code('docs/assistants.md, A login, 2'), declared);
    const headers = { 'content-type': 'application/json' };
    const asRequest = (body: object) =>
      new Request(playground.origin, { method: 'POST', headers, body: JSON.stringify(body) });
    playground.handlers = {
      '/login/nonce': (_, ip) => call(server, 'giveNonce', ip),
      '/login': (body, ip) => call(server, 'login', asRequest(body), ip),
      '/code': (body) => call(server, 'enterCode', asRequest(body)),
    };
    await playground.openModule(playground.code('docs/assistants.md, A login, 1'));
    expect(await playground.call('logIn', account.email, 'another')).toMatchObject({ message: expect.any(String) });
    expect(await playground.call('logIn', account.email, 'correct horse')).toEqual({
      code_sent_to: expect.stringMatching(/^a\*+@e\*+\.com$/),
    });
    const mailed = await newestCode(playground.demo, account.email);
    expect(await playground.call('post', '/code', { code: 'no code' })).toEqual({ attempts_remaining: 4 });
    expect(await playground.call('post', '/code', { code: mailed })).toEqual({
      accountId: account.id,
      rights: 'all',
    });
    expect(await playground.call('logIn', account.email, 'correct horse')).toEqual({
      accountId: account.id,
      rights: 'all',
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

  describe('docs/migrating.md', () => {
    type Read = Readonly<Record<'old_id' | 'fingerprint' | 'last_fingerprint' | 'version' | 'proof', string>>;
    // Not a dependency, because it runs a script when it is installed.
    let downloads: string;
    let clientJs: string;
    beforeAll(async () => {
      downloads = await mkdtemp(join(tmpdir(), 'whorl-clientjs-'));
      clientJs = await readFile(join(await download('clientjs@0.2.1', downloads), 'dist/client.base.min.js'), 'utf8');
    });
    afterAll(() => rm(downloads, { recursive: true, force: true }));

    const libraries: [name: string, oldId: RegExp][] = [
      ['FingerprintJS', /^[0-9a-f]{32}$/],
      ['ThumbmarkJS', /^[0-9a-f]{32}$/],
      ['ClientJS', /^\d{5,10}$/],
      ['rupt', /^\w{8,}$/],
    ];
    for (const [library, oldId] of libraries) {
      const name = `${library} beside Whorl: a device that the old ID recognises is not challenged`;
      test(name, async () => {
        const sampleOf = (number: number) => playground.code(`docs/migrating.md, ${library}, ${number}`);
        if (library === 'ClientJS') {
          const files = { '/app.js': sampleOf(2), '/client.base.min.js': clientJs };
          await playground.openPage(sampleOf(1), files);
        } else await playground.openModule(sampleOf(1));
        const server = await playground.importModule(
          playground.code('docs/migrating.md, Carry over known devices, 1'),
          {
            whorl,
          },
        );
        const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
        const judge = async (knownIds: (oldId: string) => string[]) => {
          const { nonce } = await whorl.devices.nonce();
          await waitLongerForIndexedDb(playground.page);
          const holder = library === 'ClientJS' ? 'window' : 'window.sample';
          const read = await playground.page.evaluate<Read>(`${holder}.readBoth('${nonce}')`);
          expect(read).toMatchObject({ old_id: expect.stringMatching(oldId), proof: expect.any(String) });
          const account = { ...newAccount(), oldIds: knownIds(read.old_id) };
          return call<Promise<Evaluation>>(server, 'judge', account, read.old_id, 'allow', read, '203.0.113.8');
        };
        expect((await judge(() => ['another'])).verdict).toBe('challenge');
        expect((await judge((known) => [known])).verdict).toBe('allow');
        expect(log.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
          { old: 'allow', new: 'challenge', reasons: expect.arrayContaining(['new_device', 'new_ip']) },
          { old: 'allow', new: 'allow' },
        ]);
        expect(await complaints(playground.page)).toEqual([]);
        log.mockRestore();
      });
    }
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
