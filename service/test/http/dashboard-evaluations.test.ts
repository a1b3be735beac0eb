import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerOf, home, laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';

describeDatabases('challenges and evaluations on the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  describe('challenges', () => {
    test('are listed by status, with the progress of the code but not the code', async () => {
      const { id, code } = await shop.customer.sendCode('cleo');
      await shop.customer.ask(`/v2/challenges/${id}/verify`, { code: code === '000000' ? '111111' : '000000' });
      const { challenge_id: skipped } = await shop.customer.challenge('carl');
      await shop.customer.ask(`/v2/challenges/${skipped}/skip`);
      expect((await shop.shown('/challenges?status=pending')).text).toMatch(/login cleo pending/);
      expect((await shop.shown('/challenges?status=pending')).text).not.toContain('carl');
      expect((await shop.shown('/challenges?status=skipped')).text).toMatch(/login carl skipped/);
      expect((await shop.shown('/challenges')).text).toMatch(/carl .* cleo/);
      const { text, html } = await shop.shown(`/challenges/${id}`);
      expect(text).toContain('Codes sent 1 of 5 Attempts with the last code 1 of 5');
      expect(text).toContain('c***@e******.com');
      expect(text).toContain('No known device of this user matches, or its trust does not cover this fingerprint.');
      expect(html).not.toContain(code);
      const evaluation = /evaluations\/([0-9a-f-]{36})"/.exec(html)?.[1];
      expect((await shop.shown(`/evaluations/${evaluation}`)).html).toContain(`/challenges/${id}"`);
    });

    test('of unconsumed claims are not listed, but their evaluation can be opened by ID', async () => {
      const { challenge_id, evaluation_id } = await shop.customer.claim('claimed');
      expect((await shop.shown('/challenges')).text).not.toContain('claimed');
      expect((await shop.shown('/evaluations')).text).not.toContain('claimed');
      expect((await shop.shown(`/evaluations/${evaluation_id}`)).text).toContain('claimed');
      expect((await shop.open(`/challenges/${challenge_id}`)).status).toBe(404);
    });
  });

  describe('evaluations', () => {
    test('show verdict, reasons and evidence in words, and accept feedback', async () => {
      const fingerprint = fingerprintOf({ seed: 'driven', integrity: ['webdriver'] });
      const { evaluation_id } = await shop.customer.evaluate({ action: 'login', user: 'eve', fingerprint, ip: home });
      const { text, html } = await shop.shown(`/evaluations/${evaluation_id}`);
      expect(text).toContain('Automated browser The browser shows signs of automation.');
      expect(text).toContain('Signs in the browser the browser reports that it is automated');
      expect(text).toContain(
        'New device No known device of this user matches, or its trust does not cover this fingerprint.',
      );
      expect(html).toMatch(/<time datetime="[\d-]+T[\d:.]+Z" title="\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC">/);
      // Verdict, who, where and why come before everything that is folded.
      expect(text).toMatch(/Verdict challenge Ask for a code.*User eve.*Where.*Why Decided by .*Act .*What decided it/);
      const answer = await shop.post(`/evaluations/${evaluation_id}/feedback`, {
        label: 'fraud',
        note: 'Charged back.',
      });
      expect(answer.status).toBe(303);
      expect((await shop.shown(`/evaluations/${evaluation_id}`)).html).toContain('>Charged back.</textarea>');
      const record = (await shop.customer.get(`/v2/evaluations/${evaluation_id}`)).body;
      expect(record.feedback).toEqual({ label: 'fraud', note: 'Charged back.' });
      const refused = await shop.post(`/evaluations/${evaluation_id}/feedback`, { label: 'perhaps' });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('Choose a label');
    });

    test('show an agent that declared itself, and why it is not verified', async () => {
      const agent = { name: 'agent.example', verified: false, problem: 'expired' };
      const { evaluation_id } = await shop.customer.evaluate({
        action: 'login',
        user: 'declared',
        fingerprint: laptop,
        ip: home,
        agent,
      });
      const { text } = await shop.shown(`/evaluations/${evaluation_id}`);
      expect(text).toContain('Declared agent The request came from a program that says which agent it is.');
      expect(text).toContain('Agent agent.example Signature verified no');
      expect(text).toContain('Why it is not verified the signature had expired');
    });

    test('can be filtered by verdict, reason, action and period', async () => {
      await shop.customer.evaluate({ action: 'found_me', user: 'filt', fingerprint: phone, ip: home });
      const list = async (query: string) => (await shop.shown(`/evaluations?${query}`)).text;
      const today = shop.service.clock.now().toISOString().slice(0, 10);
      expect(await list(`verdict=challenge&reason=new_device&action=found_me&end_date=${today}`)).toContain(
        'found me filt',
      );
      expect(await list('verdict=allow&action=found_me')).toContain('No evaluations found.');
      expect(await list('reason=velocity&action=found_me')).toContain('No evaluations found.');
      expect(await list('action=found_me&end_date=2020-01-01')).toContain('No evaluations found.');
      expect(await list('action=found_me&start_date=2090-01-01')).toContain('No evaluations found.');
      expect(await list('verdict=&reason=&action=found_me&from=1.2')).toContain('found me filt');
    });

    test('show the risk with a bar for each fact, and the sum to check', async () => {
      const request = { action: 'login', user: 'risk', ip: '192.0.2.77' };
      await shop.customer.evaluate({ ...request, action: 'signup', fingerprint: fingerprintOf({ seed: 'known' }) });
      const other = fingerprintOf({ seed: 'unknown' });
      const { evaluation_id, risk } = await shop.customer.evaluate({ ...request, fingerprint: other });
      const { text, html } = await shop.shown(`/evaluations/${evaluation_id}`);
      expect(text).toContain(`${risk.score}% : the probability that this is not the account’s owner`);
      for (const { text: found } of risk.contributions) expect(text).toContain(found);
      expect(html.match(/<svg class="bits" role="img"/g)).toHaveLength(risk.contributions.length);
      expect(html).toContain('aria-label="for an attack"');
      expect(html).toContain('aria-label="against an attack"');
      expect(html).not.toContain('style=');
      expect(text).toContain(`= ${risk.score}`);
      expect(text).toContain(`Score: ${risk.score}%, threshold: 0.15%.`);
    });

    test('are searched in steps of a limited number of rows', async () => {
      const rare = await shop.service.newProject();
      const owner = customerOf(shop.service, rare);
      await owner.evaluate({ action: 'rare', user: 'rare', fingerprint: laptop, ip: home });
      await sql`
        insert into evaluations (id, world_id, external_user, identity_id, variant_id, action, verdict, reasons, findings,
          request, confidence, matched_by, changed, accepted, claimed, created_at)
        select gen_random_uuid(), world_id, 'many', identity_id, variant_id, 'often', 'allow', '[]', '[]', request, 1,
          'exact', '[]', false, false, created_at + interval '1 millisecond' * ((n + 1) / 2)
        from evaluations, generate_series(1, 5100) n where action = 'rare'
      `.execute(shop.service.db);
      const path = `/dashboard/${rare.project.id}/live/evaluations?action=rare`;
      const first = await shop.visitor.get(path);
      expect(first.text).toContain('Searched back to');
      expect(first.text).not.toContain('rare rare');
      const next = /href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const second = await shop.visitor.get(next);
      expect(second.text).toContain('rare rare');
      expect(second.text).not.toContain('Searched back to');
      const all = await shop.visitor.get(path.replace('action=rare', 'action=often'));
      expect(all.html.match(/>often</g)).toHaveLength(25);
    });
  });
});
