import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Whorl } from 'whorl/server';
import { fingerprintOf } from '../../service/test/support/fingerprints.js';
import { freePort } from '../browser/harness/free-port.js';
import { until } from '../browser/harness/until.js';
import { type RunningService, startRealService } from '../browser/support/service.js';
import { type InstalledPackage, installPackage, readRepositoryFile, runNode } from './installed.js';
import { call, codeOf, importModule, installedClient, writeModule } from './run-sample.js';
import { sample } from './samples.js';

const laptop = fingerprintOf({ seed: 'laptop' });
const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });
const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

/** Runs the server samples of the docs unchanged against the real service. */
describe('the samples of the docs, on a server', () => {
  let installed: InstalledPackage;
  let service: RunningService;
  let whorl: Whorl;

  beforeAll(async () => {
    installed = await installPackage();
    // The service needs a channel for codes, although these samples send none.
    service = await startRealService({}, { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'codes@shop.example' });
    whorl = await installedClient(installed, { apiSecret: service.keys.secret, baseUrl: service.origin });
    process.env.WHORL_API_SECRET = service.keys.secret;
    process.env.WHORL_WEBHOOK_SECRET = webhookSecret;
  });
  afterAll(async () => {
    await service?.close();
    installed?.remove();
  });

  /** Runs a sample with its declared globals, and returns its exports and output. */
  async function play(name: string, declared: object = {}, serviceUrl = service.origin) {
    const printed: unknown[][] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...values) => void printed.push(values));
    try {
      return { members: await importModule(installed, codeOf(name, { serviceUrl }), declared), printed };
    } finally {
      log.mockRestore();
    }
  }

  /** Returns a sample as a program, with the service's URL in it. */
  const programOf = (name: string) => writeModule(installed, codeOf(name, { serviceUrl: service.origin }));

  test('docs/package.md compares two fingerprints, and prints the documented output', async () => {
    const { code, stdout } = await runNode(installed.folder, programOf('docs/package.md, Compare two fingerprints, 1'));
    expect({ code, stdout }).toEqual({ code: 0, stdout: sample('docs/package.md, Compare two fingerprints, 2').code });
    const { members } = await play('docs/package.md, Compare two fingerprints, 3');
    expect(call(members, 'describe', laptop)).toMatch(/^Linux, graphics \S{4}, no signs$/);
    expect(call(members, 'describe', 'none')).toBe('not a fingerprint');
  });

  test('scripts/fingerprint-picture.mjs creates the picture of docs/package.md', async () => {
    const script = join(installed.folder, 'picture.mjs');
    writeFileSync(script, readRepositoryFile('scripts/fingerprint-picture.mjs'));
    const { code, stdout } = await runNode(installed.folder, script);
    expect({ code, stdout }).toEqual({ code: 0, stdout: readRepositoryFile('docs/fingerprint.svg') });
  });

  test('docs/server.md lists challenges', async () => {
    const user = 'listed';
    const { challenge_id } = await whorl.evaluate({ action: 'login', user, fingerprint: laptop, ip: '203.0.113.1' });
    const { printed } = await play('docs/server.md, Lists, 1', { whorl });
    expect(printed).toContainEqual([challenge_id, 'pending']);
    expect(printed.at(-1)).toEqual([expect.any(Number), expect.any(Number)]);
  });

  test('docs/server.md waits for a new code, and starts over when the challenge is closed', async () => {
    const request = { action: 'login', user: 'waiting', phone: '+14155550123', fingerprint: laptop };
    const { challenge_id = '' } = await whorl.evaluate(request);
    const { members } = await play('docs/server.md, Errors, 1', { whorl });
    await whorl.challenges.skip(challenge_id);
    expect(await call(members, 'sendAgain', challenge_id)).toBe('Log in again.');
  });

  test.each([
    ['docs/server.md, When the service is unreachable, 1', 'judge', 'allow'],
    ['docs/server.md, When the service is unreachable, 1', 'judgePayout', { verdict: 'deny', unavailable: true }],
  ])('%s: %s', async (name, member, expected) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { members } = await play(name, {}, `http://localhost:${await freePort()}`);
    const verdict = await call(members, member, 'ann', { fingerprint: laptop }, '203.0.113.1');
    if (typeof expected === 'string') expect(verdict).toBe(expected);
    else expect(verdict).toMatchObject(expected);
    expect(error.mock.calls.map(([first]) => first)).toEqual(member === 'judge' ? ['Nothing was judged.'] : []);
    error.mockRestore();
  });

  test('docs/agents.md reports an agent that declares itself', async () => {
    const { members } = await play('docs/agents.md, Declared agents, 1', { whorl });
    const headers = { 'signature-agent': 'sig="https://agent.example"' };
    const request = new Request('https://shop.example/login', { headers });
    await call<Promise<string>>(members, 'judge', request, 'declared', { fingerprint: laptop }, '203.0.113.1');
    const { data } = await whorl.legacy.accessHistory({ user: 'declared' });
    expect(data[0]?.reasons).toContain('declared_agent');
  });

  test('docs/server.md reports wrong passwords, of an account and of a name without one', async () => {
    const id = 'guessed';
    const email = `${id}@example.com`;
    const body = { fingerprint: fingerprintOf({ seed: 'guesser' }) };
    await whorl.evaluate({ action: 'signup', user: id, fingerprint: laptop, ip: '203.0.113.10' });
    for (const account of [{ id }, undefined]) {
      const declared = { whorl, account, email, body, ip: '203.0.113.9' };
      const { printed } = await play('docs/server.md, Report failures, 1', declared);
      expect(printed).toEqual([['The address or the password is wrong.']]);
    }
    const { data } = await whorl.legacy.accessHistory({ outcome: 'failed' });
    expect(data).toHaveLength(2);
    // Failures attach no device.
    expect((await whorl.users.devices(id)).data).toHaveLength(1);
  });

  describe('docs/uses/', () => {
    const bodyOf = (fingerprint: string) => ({ fingerprint, last_fingerprint: '', version: '0.1.0' });
    const account = (id: string) => ({ id, email: `${id}@example.com`, invitedBy: 'inviter' });

    test('the login of docs/README.md, with the documented verdict', async () => {
      const asked = bodyOf(fingerprintOf({ seed: 'front' }));
      const { members } = await play('docs/README.md, Whorl, 1');
      const judged = await call<Promise<object>>(members, 'judge', account('front'), asked, '203.0.113.12');
      expect(judged).toEqual({ verdict: 'challenge', reasons: ['new_device', 'new_ip'] });
    });

    test('signing out a device over the limit', async () => {
      const { id: user, email } = account('sharer');
      await whorl.evaluate({ action: 'signup', user, email, fingerprint: laptop, ip: '203.0.113.3' });
      const { data } = await whorl.users.devices('sharer');
      const request = { action: 'login', user: 'sharer', fingerprint: phone, ip: '203.0.113.4' };
      const { challenge_id } = await whorl.evaluate(request);
      const chosen = data[0]?._id;
      const { printed } = await play('docs/uses/account-sharing.md, Your code, 1', {
        whorl,
        challenge: challenge_id,
        chosen,
      });
      expect(printed).toEqual([[['Chromium 156 on Linux']]]);
      expect((await whorl.users.devices('sharer', { status: 'detached' })).data.map(({ _id }) => _id)).toEqual([
        chosen,
      ]);
    });

    test('a reward for a referral', async () => {
      // Test keys only report a referral of oneself.
      const live = await installedClient(installed, { apiSecret: service.liveKeys.secret, baseUrl: service.origin });
      const seed = fingerprintOf({ seed: 'inviter' });
      await live.evaluate({ action: 'signup', user: 'inviter', fingerprint: seed, ip: '203.0.113.5' });
      const rewardFor = async (id: string, fingerprint: string, ip: string) =>
        (
          await play('docs/uses/referral-fraud.md, Your code, 1', {
            whorl: live,
            account: account(id),
            body: bodyOf(fingerprint),
            ip,
          })
        ).printed;
      const friend = fingerprintOf({ seed: 'friend' });
      expect(await rewardFor('friend', friend, '203.0.113.6')).toEqual([['Give the reward.']]);
      expect(await rewardFor('inviter again', seed, '203.0.113.5')).toEqual([['Hold the reward.']]);
    });
  });

  describe('a webhook', () => {
    const body = JSON.stringify({
      type: 'device.detached',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: { cause: 'kick', device: { _id: 'device-1' } },
    });
    /** Signs it like the service. */
    function signed(content = body): RequestInit {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`message-1.${timestamp}.${content}`).digest('base64');
      const headers = {
        'webhook-id': 'message-1',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
      return { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    }

    test('docs/webhooks.md accepts it, and rejects a forged one', async () => {
      const port = await freePort();
      const file = programOf('docs/webhooks.md, The first webhook, 2');
      const program = spawn(process.execPath, [file], { env: { ...process.env, PORT: String(port) } });
      try {
        const send = (init: RequestInit) => fetch(`http://localhost:${port}/webhooks`, init);
        let said = '';
        for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += text));
        expect((await until('The start of the receiver', () => send(signed()))).status).toBe(204);
        await until('Its word', () => said.includes('sign out device-1') || undefined);
        expect((await send(signed(`${body} `))).status).toBe(400);
      } finally {
        program.kill();
      }
    });
  });
});
