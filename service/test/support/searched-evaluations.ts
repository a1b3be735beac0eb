import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { changeSettings, type DatabaseKind } from '../../src/testing.js';
import { laptop, phone } from './customer.js';
import { openDashboardShop } from './dashboard-shop.js';
import { berlin, tokyo, writePlaces } from './two-places.js';

export type SearchedEvaluations = Awaited<ReturnType<typeof openSearchedEvaluations>>;

/** Opens a shop with three evaluations to search for. */
export async function openSearchedEvaluations(kind: DatabaseKind) {
  const folder = await mkdtemp(join(tmpdir(), 'whorl-search-'));
  const database = await writePlaces(folder);
  const vpn = join(folder, 'vpn.txt');
  await writeFile(vpn, `${tokyo}\n`);
  const shop = await openDashboardShop(kind, {
    environment: { ADDRESS_DATABASES: database, ADDRESS_LISTS: `vpn=${vpn}` },
  });
  const { customer } = shop;
  const rules = [
    { name: 'Tags', when: 'user.id == "=bob"', effect: 'tag', tag: 'odd-hours' },
    { name: 'Watched', when: 'user.id == "=bob"', effect: 'deny', state: 'shadow' },
    { name: 'Broken', when: 'metadata.amount > 5', effect: 'deny' },
  ];
  await changeSettings(shop.service.service, {
    project: shop.project.project.id,
    changes: { rules },
    changedBy: 'test',
  });
  const quiet = await customer.evaluate({
    action: 'signup',
    user: 'ada@example.com',
    fingerprint: laptop,
    ip: berlin,
  });
  const metadata = { amount: 'many' };
  const driven = await customer.evaluate({ action: 'login', user: '=bob', fingerprint: phone, ip: tokyo, metadata });
  const failed = await customer.evaluate({
    action: 'login',
    user: 'nobody',
    fingerprint: phone,
    ip: tokyo,
    outcome: 'failed',
  });
  await customer.ask(`/v2/evaluations/${driven.evaluation_id}/feedback`, { label: 'fraud' });
  /** IDs of evaluations: `quiet` was allowed in Berlin, `driven` was automated in Tokyo, and `failed` failed there. */
  const ids = { quiet: quiet.evaluation_id, driven: driven.evaluation_id, failed: failed.evaluation_id };
  const facts = { user: quiet.user_id, device: quiet.device_id, browser: driven.fingerprint_id };

  /** Adds newer evaluations of the same world, with the action `login`. */
  const copyEvaluation = (id: string, count: number) =>
    sql`
      insert into evaluations (id, world_id, external_user, identity_id, variant_id, action, verdict, reasons, findings,
        request, confidence, matched_by, changed, accepted, claimed, created_at)
      select gen_random_uuid(), world_id, 'later', identity_id, variant_id, 'login', verdict, reasons, findings,
        request, confidence, matched_by, changed, false, false, created_at + n * interval '1 second'
      from evaluations, generate_series(1, ${count}::int) n where id = ${id}
    `.execute(shop.service.db);

  /** Each filter, with the names of the evaluations that match. */
  const cases = (): readonly (readonly [Record<string, string>, readonly (keyof typeof ids)[]])[] => [
    [{}, ['failed', 'driven', 'quiet']],
    [{ verdict: 'allow', action: 'signup' }, ['quiet']],
    [{ reason: 'new_device', label: 'fraud' }, ['driven']],
    [{ outcome: 'failed' }, ['failed']],
    [{ user_id: facts.user }, ['quiet']],
    [{ user_id: facts.user, device_id: facts.device }, ['quiet']],
    [{ device_id: facts.device, action: 'login' }, []],
    [{ fingerprint_id: facts.browser }, ['failed', 'driven']],
    [{ ip: tokyo, outcome: 'succeeded' }, ['driven']],
    [{ ip: '126.0.0.0/16' }, ['failed', 'driven']],
    [{ ip: '2001:db8::/32' }, []],
    [{ country: 'de' }, ['quiet']],
    [{ asn: 'AS64497', address_kind: 'vpn' }, ['failed', 'driven']],
    [{ min_score: '100' }, []],
    [{ min_score: '0' }, ['driven', 'quiet']],
    [{ label: 'none' }, ['failed', 'quiet']],
    [{ challenge: 'pending' }, ['driven']],
    [{ challenge: 'none' }, ['failed', 'quiet']],
    [{ challenge: 'completed' }, []],
    [{ matched_by: 'exact' }, ['failed']],
    [{ rule: 'Large payout' }, []],
    [{ rule: 'Tags' }, ['driven']],
    [{ rule: 'Watched' }, ['driven']],
    [{ rule: 'Watched', verdict: 'allow' }, []],
    [{ rule: 'Watch' }, []],
    [{ rule: 'Broken' }, []],
    [{ tag: 'odd-hours' }, ['driven']],
    [{ tag: 'odd-hours', verdict: 'allow' }, []],
    [{ tag: 'odd' }, []],
    [{ start_date: '2090-01-01' }, []],
    [{ end_date: '2020-01-01' }, []],
  ];

  return {
    shop: {
      ...shop,
      async close() {
        await shop.close();
        await rm(folder, { recursive: true });
      },
    },
    ids,
    facts,
    cases,
    copyEvaluation,
  };
}
