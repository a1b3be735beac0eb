import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings } from '../../src/testing.js';
import { customerOf, elsewhere, home, laptop, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { type ListedBy, startService, type TestProject, type TestService } from '../support/service.js';

const automated = fingerprintOf({ seed: 'laptop', integrity: ['webdriver'] });
const tampered = fingerprintOf({ seed: 'laptop', integrity: ['proxied_function'] });
const login = { action: 'login', user: 'ada', fingerprint: laptop, ip: home };
const signup = { ...login, action: 'signup' };
/** A cell of the policy table that the project did not replace. */
const cell = (action: string, condition?: string) => ({ action, ...(condition && { condition }), overridden: false });
const isEntry = (change: object): change is ListedBy => Array.isArray(change);
const challenged = (reason: string) => ({ reason, effect: 'challenge', policy: cell('login') });

describeDatabases('what decided a verdict', (kind) => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
  });

  const shop = (mode: 'live' | 'test' = 'live') => customerOf(service, project, mode);
  const set = (changes: Readonly<Record<string, unknown>>) =>
    changeSettings(service.service, { project: project.project.id, changes, changedBy: 'test' });

  test('names the reasons and the cell of each, also in the record', async () => {
    const evaluation = await shop().evaluate(login);
    const expected = { reasons: [challenged('new_device'), challenged('new_ip')], outweighed: [], excused: [] };
    expect(evaluation).toMatchObject({ verdict: 'challenge', decided_by: expected });
    const path = `/v2/evaluations/${evaluation.evaluation_id}`;
    expect((await shop().get(path)).body.decided_by).toEqual(expected);
  });

  test('is empty if the policy only reports', async () => {
    const { verdict, reasons, decided_by } = await shop().evaluate(signup);
    expect(verdict).toBe('allow');
    expect(reasons).toEqual(['new_device', 'new_ip']);
    expect(decided_by).toEqual({ reasons: [], outweighed: [], excused: [] });
  });

  test('names the condition of a cell, and that the project replaced one', async () => {
    await shop().evaluate(signup);
    const other = await shop().evaluate({ ...signup, user: 'bert' });
    expect(other).toMatchObject({ verdict: 'restrict', reasons: expect.arrayContaining(['multiple_accounts']) });
    expect(other.decided_by.reasons).toEqual([
      { reason: 'multiple_accounts', effect: 'restrict', policy: cell('signup', 'corroborated') },
    ]);
    await set({ policy: { signup: { new_device: 'restrict' } } });
    const third = await shop().evaluate({ ...signup, user: 'carl', fingerprint: fingerprintOf({ seed: 'third' }) });
    expect(third.decided_by.reasons).toEqual([
      { reason: 'new_device', effect: 'restrict', policy: { action: 'signup', overridden: true } },
    ]);
  });

  test('separates reasons that another one outweighed', async () => {
    await service.list(project, ['block', 'address', home]);
    const { verdict, decided_by } = await shop().evaluate(login);
    expect(verdict).toBe('deny');
    expect(decided_by).toEqual({
      reasons: [{ reason: 'blocked', effect: 'deny', policy: cell('login') }],
      outweighed: [challenged('new_device'), challenged('new_ip')],
      excused: [],
    });
  });

  test('shows what was true then', async () => {
    const { evaluation_id, decided_by } = await shop().evaluate(login);
    await set({ policy: { login: { new_device: 'deny', new_ip: 'off' } }, mode: 'observe' });
    expect((await shop().get(`/v2/evaluations/${evaluation_id}`)).body.decided_by).toEqual(decided_by);
  });

  test('is absent from the record of an older version', async () => {
    const { evaluation_id } = await shop().evaluate(login);
    const older = { decisions: null, rule_basis: null };
    await service.db.updateTable('evaluations').set(older).where('id', '=', evaluation_id).execute();
    expect((await shop().get(`/v2/evaluations/${evaluation_id}`)).body).not.toHaveProperty('decided_by');
  });

  test('is stored with a failed attempt', async () => {
    await shop().evaluate(signup);
    const { evaluation_id, decided_by } = await shop().evaluate({ ...login, ip: elsewhere, outcome: 'failed' });
    expect(decided_by.reasons).toEqual([challenged('new_ip')]);
    expect((await shop().get(`/v2/evaluations/${evaluation_id}`)).body.decided_by).toEqual(decided_by);
  });

  test.each<[string, Readonly<Record<string, unknown>> | ListedBy]>([
    ['observe mode', { mode: 'observe' }],
    ['an allowed user', ['allow', 'user', 'ada']],
    ['cells that the project replaced', { policy: { login: { tampering: 'deny', new_ip: 'restrict' } } }],
  ])('is stored with a failed attempt that has many reasons, with %s', async (_name, change) => {
    await shop().evaluate(signup);
    if (isEntry(change)) await service.list(project, change);
    else await set(change);
    const other = fingerprintOf({ seed: 'other', integrity: ['webdriver', 'proxied_function'] });
    const odd = { fingerprint: other, ip: elsewhere };
    const { evaluation_id, reasons, decided_by } = await shop().evaluate({ ...login, ...odd, outcome: 'failed' });
    expect(reasons).toEqual(expect.arrayContaining(['new_device', 'new_ip', 'automation', 'tampering']));
    const stored = (await shop().get(`/v2/evaluations/${evaluation_id}`)).body.decided_by;
    // The words of conditions are left out.
    const withoutWords = JSON.parse(JSON.stringify(decided_by), (key, value) =>
      key === 'condition' ? undefined : value,
    );
    expect(stored).toEqual(withoutWords);
  });

  test('is read from an evaluation that stored names', async () => {
    const { evaluation_id, decided_by } = await shop().evaluate(login);
    const where = sql`where id = ${evaluation_id}`;
    const { rows } = await sql<{ basis: string }>`select rule_basis as basis from evaluations ${where}`.execute(
      service.db,
    );
    const [flags, claimed, , ...others] = JSON.parse(rows[0]?.basis ?? '');
    const named = ['new_device', 'new_ip'].map((reason) => [reason, 'challenge']);
    await sql`update evaluations set rule_basis = ${JSON.stringify([flags, claimed, named, ...others])} ${where}`.execute(
      service.db,
    );
    expect((await shop().get(`/v2/evaluations/${evaluation_id}`)).body.decided_by).toEqual(decided_by);
  });

  describe('a reason is excused', () => {
    test('by trust', async () => {
      await shop().evaluate(signup);
      const { verdict, decided_by } = await shop().evaluate({ ...login, fingerprint: automated });
      expect(verdict).toBe('allow');
      expect(decided_by.reasons).toEqual([]);
      expect(decided_by.excused).toEqual([
        {
          reason: 'automation',
          effect: 'challenge',
          policy: cell('login', 'more than inspected or unreadable_check'),
          excused_by: ['trust'],
        },
      ]);
    });

    test('by trust, in part', async () => {
      await shop().evaluate(signup);
      const { verdict, decided_by } = await shop().evaluate({ ...login, fingerprint: tampered });
      expect(verdict).toBe('restrict');
      expect(decided_by.reasons).toEqual([{ reason: 'tampering', effect: 'restrict', policy: cell('login') }]);
      expect(decided_by.excused).toEqual([
        { reason: 'tampering', effect: 'challenge_and_restrict', policy: cell('login'), excused_by: ['trust'] },
      ]);
    });

    test.each<[string, Readonly<Record<string, unknown>> | ListedBy, object, string]>([
      [
        'a trusted device that may change its address',
        { address_change: 'allow' },
        { ip: elsewhere },
        'address_change',
      ],
      ['an allowed user', ['allow', 'user', 'ada'], { ip: elsewhere }, 'allow_entry'],
      ['an allowed address', ['allow', 'address', elsewhere], { ip: elsewhere }, 'allow_entry'],
      ['the risk score', { judge_by: 'risk' }, { ip: elsewhere }, 'risk_score'],
      ['protection that is off', { account_takeover_protection: false }, { ip: elsewhere }, 'takeover_protection_off'],
      ['observe mode', { mode: 'observe' }, { ip: elsewhere }, 'observe_mode'],
    ])('by %s', async (_name, change, more, excuse) => {
      await shop().evaluate(signup);
      if (isEntry(change)) await service.list(project, change);
      else await set(change);
      const { verdict, decided_by } = await shop().evaluate({ ...login, ...more });
      expect(verdict).toBe('allow');
      expect(decided_by.reasons).toEqual([]);
      expect(decided_by.excused).toEqual([{ ...challenged('new_ip'), excused_by: [excuse] }]);
    });

    test('by learning days', async () => {
      await set({ learning_days: 7 });
      const { verdict, decided_by } = await shop().evaluate(login);
      expect(verdict).toBe('allow');
      expect(decided_by.excused).toEqual([
        { ...challenged('new_device'), excused_by: ['learning_days'] },
        { ...challenged('new_ip'), excused_by: ['learning_days'] },
      ]);
    });

    test('by weak evidence', async () => {
      await set({ policy: { signup: { multiple_accounts: 'restrict' } } });
      await shop().evaluate(signup);
      const { verdict, decided_by } = await shop().evaluate({ ...signup, user: 'bert', ip: elsewhere });
      expect(verdict).toBe('allow');
      expect(decided_by.excused).toEqual([
        {
          reason: 'multiple_accounts',
          effect: 'restrict',
          policy: { action: 'signup', overridden: true },
          excused_by: ['weak_evidence'],
        },
      ]);
    });

    test('by a completed challenge', async () => {
      const { challenge_id: id } = await shop().challenge('ada', { fingerprint: undefined });
      await shop().ask(`/v2/challenges/${id}/complete`);
      const { fingerprint: _none, ...request } = login;
      const { verdict, decided_by } = await shop().evaluate({ ...request, completed_challenge: id });
      expect(verdict).toBe('allow');
      expect(decided_by.excused.length).toBeGreaterThan(0);
      for (const { excused_by } of decided_by.excused) expect(excused_by).toContain('completed_challenge');
    });

    test('by several things at once', async () => {
      await shop().evaluate(signup);
      await service.list(project, ['allow', 'user', 'ada']);
      await set({ mode: 'observe' });
      const { decided_by } = await shop().evaluate({ ...login, fingerprint: automated });
      expect(decided_by.excused[0].excused_by).toEqual(['trust', 'allow_entry']);
    });
  });

  describe('with test keys', () => {
    /** Signs up a number of users in one browser, and returns the last evaluation. */
    const signUp = async (count: number, more: object = {}) => {
      const users = Array.from({ length: count }, (_, at) => `user${at}`);
      const evaluations = [];
      for (const user of users) evaluations.push(await shop('test').evaluate({ ...signup, ...more, user }));
      return evaluations.at(-1);
    };

    test('many accounts in one browser are reported, with a warning', async () => {
      const last = await signUp(12);
      expect(last).toMatchObject({
        verdict: 'allow',
        reasons: expect.arrayContaining(['multiple_accounts', 'velocity']),
      });
      expect(last.decided_by.excused).toEqual([
        expect.objectContaining({ reason: 'multiple_accounts', effect: 'restrict', excused_by: ['test_key'] }),
        expect.objectContaining({ reason: 'velocity', effect: 'restrict', excused_by: ['test_key'] }),
      ]);
      expect(last.warnings).toContainEqual({
        path: 'action',
        message:
          'raises `multiple_accounts`, which is only reported for test keys. With a live key, its effect is `restrict`. ' +
          'To test that, switch on the setting `enforce_for_test_keys`',
      });
    });

    test('automation and a self-referral are reported', async () => {
      const last = await signUp(2, { fingerprint: automated, metadata: { referrer: 'user0' } });
      expect(last.verdict).toBe('allow');
      const excused = last.decided_by.excused.map(({ reason }: { reason: string }) => reason);
      expect(excused).toEqual(['multiple_accounts', 'self_referral', 'automation']);
    });

    test('they are enforced if the project sets this', async () => {
      await set({ enforce_for_test_keys: true });
      const last = await signUp(2);
      expect(last).toMatchObject({ verdict: 'restrict', decided_by: { excused: [] } });
      expect(JSON.stringify(last.warnings)).not.toContain('test keys');
    });

    test('everything else is enforced', async () => {
      expect(await shop('test').evaluate(login)).toMatchObject({ verdict: 'challenge', decided_by: { excused: [] } });
    });
  });

  describe('of a claim', () => {
    test('is in its record and in the response to consuming it, but not in that to the page', async () => {
      const claim = await shop().claim('ada');
      expect(claim).not.toHaveProperty('decided_by');
      const { body } = await shop().get(`/v2/evaluations/${claim.evaluation_id}`);
      expect(body.decided_by.reasons).toEqual([challenged('new_device'), challenged('new_ip')]);
      const consumed = await shop().ask(`/v2/evaluations/${claim.evaluation_id}/consume`, {
        user: 'ada',
        action: 'login',
      });
      expect(consumed.decided_by.reasons).toEqual([challenged('new_device'), challenged('new_ip')]);
    });

    test('comes from the page if its verdict is stricter', async () => {
      await service.list(project, ['allow', 'user', 'ada']);
      const { evaluation_id } = await shop().claim('ada');
      const consumed = await shop().ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ada', action: 'login' });
      expect(consumed.verdict).toBe('challenge');
      expect(consumed.decided_by.reasons).toEqual([challenged('new_device'), challenged('new_ip')]);
      expect(consumed.decided_by.excused).toEqual([]);
    });
  });
});
