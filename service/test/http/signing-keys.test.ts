import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifyToken } from 'whorl/server';
import { listLog, publicKeys, removeOldRows, rotateSigningKeys } from '../../src/testing.js';
import { customerOf, origin } from '../support/customer.js';
import { describeDatabases, describePostgresql } from '../support/databases.js';
import { environmentFor, runProcess } from '../support/process.js';
import { openRestartableService, type RestartableService } from '../support/rotation.js';
import type { TestProject, TestService } from '../support/service.js';

const issuer = 'https://fraud.example';
/** As in docs/operating.md. */
const leadMs = 60_000;
const overlapMs = 6 * 60_000;

/** Moves the clock of the service and of its clients, which use the system time. */
const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

interface Shop {
  readonly project: TestProject;
  /** Returns a token as a page receives it, and the ID of its key. */
  token(): Promise<{ readonly text: string; readonly kid: string | undefined }>;
  /** Returns the IDs of the published keys, except those of other projects. */
  published(): Promise<Set<string>>;
  /** Returns a server that verifies tokens with the public library and caches the keys. */
  client(): (token: string) => Promise<unknown>;
  /** Verifies with the package's own function, which caches keys as long as the process runs. */
  verify(token: string): Promise<unknown>;
}

async function openShop(service: TestService): Promise<Shop> {
  const others = (await publicKeys(service.service)).keys.map(({ kid }) => kid);
  const project = await service.newProject({ allowed_origins: [origin] });
  const customer = customerOf(service, project);
  const audience = project.project.id;
  return {
    project,
    async token() {
      const { token: text } = await customer.claim('ada');
      return { text, kid: decodeProtectedHeader(text).kid };
    },
    async published() {
      const { body } = await service.api('/.well-known/jwks.json');
      const kids: string[] = body.keys.map(({ kid }: { kid: string }) => kid);
      return new Set(kids.filter((kid) => !others.includes(kid)));
    },
    client() {
      const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.url));
      return (token) => jwtVerify(token, keys, { issuer, audience });
    },
    verify: (token) => verifyToken(token, { baseUrl: service.url, issuer, audience }),
  };
}

describeDatabases('signing keys', (kind) => {
  let restarted: RestartableService;
  let service: TestService;
  let shop: Shop;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    restarted = await openRestartableService(kind);
    service = await restarted.restart();
    shop = await openShop(service);
  });
  afterEach(async () => {
    await restarted.close();
    vi.useRealTimers();
  });

  const rotate = (more: { isLeaked?: boolean } = {}) =>
    rotateSigningKeys(service.service, { project: shop.project.project.id, ...more });

  test('are public: each token is verified with the key that it names, and no private key is published', async () => {
    const { text, kid } = await shop.token();
    expect(await shop.published()).toEqual(new Set([kid]));
    await shop.client()(text);
    await shop.verify(text);
    const { keys } = await publicKeys(service.service);
    expect(keys.filter((key) => 'd' in key)).toEqual([]);
  });

  test('rotate without any token being rejected, and the old one is removed when its last token has expired', async () => {
    const client = shop.client();
    const first = await shop.token();
    await client(first.text);
    await shop.verify(first.text);
    const [rotated] = await rotate();

    // Published before it is used, so that clients that cache keys know it in time.
    expect(await shop.published()).toEqual(new Set([first.kid, rotated?.kid]));
    advance(leadMs - 1000);
    const last = await shop.token();
    expect(last.kid).toBe(first.kid);
    advance(1000);
    const next = await shop.token();
    expect(next.kid).toBe(rotated?.kid);
    for (const { text } of [last, next]) {
      await client(text);
      await shop.verify(text);
    }

    advance(overlapMs - 1000);
    expect(await shop.published()).toEqual(new Set([first.kid, rotated?.kid]));
    advance(1000);
    expect(await shop.published()).toEqual(new Set([rotated?.kid]));
    const newest = await shop.token();
    await client(newest.text);
    await shop.verify(newest.text);
    await expect(shop.client()(last.text)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  test('are identified by their IDs: a token with the ID of another key is rejected', async () => {
    const { text, kid } = await shop.token();
    const [rotated] = await rotate();
    const [, payload, signature] = text.split('.');
    const renamed = JSON.stringify({ ...decodeProtectedHeader(text), kid: rotated?.kid });
    const token = `${Buffer.from(renamed).toString('base64url')}.${payload}.${signature}`;
    expect(await shop.published()).toContain(kid);
    await expect(shop.client()(token)).rejects.toMatchObject({ code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
    await expect(shop.verify(token)).rejects.toMatchObject({ code: 'signature_mismatch' });
  });

  test('that leaked are withdrawn at once, with the tokens that they signed', async () => {
    const { text } = await shop.token();
    const [rotated] = await rotate({ isLeaked: true });
    expect(await shop.published()).toEqual(new Set([rotated?.kid]));
    await expect(shop.client()(text)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    const next = await shop.token();
    expect(next.kid).toBe(rotated?.kid);
    await shop.client()(next.text);
  });

  test('can be rotated again before the new one signs', async () => {
    const first = await shop.token();
    const [second] = await rotate();
    advance(leadMs / 2);
    const [third] = await rotate();
    expect(await shop.published()).toEqual(new Set([first.kid, second?.kid, third?.kid]));
    advance(leadMs / 2);
    expect((await shop.token()).kid).toBe(second?.kid);
    advance(leadMs / 2);
    expect((await shop.token()).kid).toBe(third?.kid);
  });

  test('are deleted once they are no longer published, and the log records their rotation', async () => {
    const { kid } = await shop.token();
    const [rotated] = await rotate();
    advance(leadMs + overlapMs + 1000);
    await removeOldRows(service.service);
    const projectId = shop.project.project.id;
    const rows = service.db.selectFrom('signing_keys').select('kid').where('project_id', '=', projectId);
    expect(await rows.execute()).toEqual([{ kid: rotated?.kid }]);
    expect(kid).not.toBe(rotated?.kid);
    const { entries } = await listLog(service.service, { projectId, limit: 1 });
    const changes = { signing_key_rotated: { from: null, to: rotated?.kid } };
    expect(entries).toMatchObject([{ changedBy: 'command line', changes }]);
  });
});

describePostgresql('signing keys rotated by another process', () => {
  let restarted: RestartableService;
  let service: TestService;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    restarted = await openRestartableService('postgresql');
    service = await restarted.restart();
  });
  afterEach(async () => {
    await restarted.close();
    vi.useRealTimers();
  });

  const run = (...args: string[]) =>
    runProcess(['keys', 'rotate-signing', ...args], environmentFor(restarted.fresh.options));

  test('are used by a running process a minute later; without a project, all are rotated', async () => {
    const [one, other] = [await openShop(service), await openShop(service)];
    const before = (await one.token()).kid;
    const { code, stdout } = await run('--project', one.project.project.name);
    expect(code).toBe(0);
    const [, kid, project] = /^(\S{43}) {2}signs from \S+Z {2}previous key until \S+Z {2}(.*)\n$/.exec(stdout) ?? [];
    expect(project).toBe(one.project.project.name);
    // The command used the system clock, which has advanced meanwhile.
    vi.setSystemTime(vi.getRealSystemTime() - leadMs / 2);
    expect((await one.token()).kid).toBe(before);
    vi.setSystemTime(vi.getRealSystemTime() + leadMs);
    expect((await one.token()).kid).toBe(kid);

    const all = await run('--leaked');
    expect(all.stdout.match(/ signs from /g)).toHaveLength(3);
    for (const shop of [one, other]) {
      advance(10_000);
      expect(all.stdout).toContain(`${(await shop.token()).kid}  `);
    }
    const nobody = { code: 1, stderr: expect.stringContaining('There is no project "Nobody".') };
    expect(await run('--project', 'Nobody')).toMatchObject(nobody);
  });
});
