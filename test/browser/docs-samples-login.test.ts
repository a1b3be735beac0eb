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
import { newAccount } from './support/accounts';
import { newestCode } from './support/demo';
import { Playground } from './support/playground';
import { complaints, waitLongerForIndexedDb } from './support/whorl';

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
});
