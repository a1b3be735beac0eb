import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../bench/identity/population/random.mjs';
import { attack } from '../../bench/risk/attackers.mjs';
import { watch } from '../../bench/risk/campaigns.mjs';
import { readCsv } from '../../bench/risk/csv.mjs';
import * as serviceRules from '../../bench/risk/detectors/service.mjs';
import { createFreeman, smoothed } from '../../bench/risk/freeman.mjs';
import { loginsBetween, shareAt, thresholdFor } from '../../bench/risk/metrics.mjs';
import { replay } from '../../bench/risk/replay.mjs';
import * as byRisk from '../../bench/risk/scorers/risk.mjs';
import * as byRules from '../../bench/risk/scorers/rules.mjs';
import { given, parameters, sources } from '../../bench/risk/sources.mjs';
import { generate } from '../../bench/risk/trace.mjs';
import { defaultSettings } from '../../service/src/testing.js';
import { smallNetwork } from './small-network.js';

const trace = generate({ people: 300, seed: 5, network: smallNetwork });
type Login = (typeof trace.logins)[number];
type Seen = { readonly user: string; readonly shown: { readonly recognisable: unknown } };

test('every parameter of the trace has a source', () => {
  for (const { source, detail } of Object.values(parameters)) {
    expect(sources).toHaveProperty(source);
    expect(detail).not.toBe('');
  }
});

test('the same seed gives the same trace, in order of time', () => {
  const visible = ({ logins }: typeof trace) =>
    logins.map(({ at, user, place, shown, outcome }: Login) => [at, user, place, shown, outcome]);
  expect(visible(generate({ people: 300, seed: 5, network: smallNetwork }))).toEqual(visible(trace));
  expect(visible(generate({ people: 300, seed: 6, network: smallNetwork }))).not.toEqual(visible(trace));
  const times = trace.logins.map(({ at }: Login) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('people travel as often as the source says', () => {
  const trips = trace.people.reduce((sum: number, { trips: own }: { trips: unknown[] }) => sum + own.length, 0);
  const tripsPerYear = Number(given.tripsPerYear);
  expect(trips / 300 / tripsPerYear).toBeGreaterThan(0.8);
  expect(trips / 300 / tripsPerYear).toBeLessThan(1.1);
});

test('a targeted attacker has the city, the provider and the browser of the victim, and another device', () => {
  const random = seeded(1);
  const login = trace.logins.find(({ place }: Login) => place.kind === undefined);
  for (let round = 0; round < 20; round++) {
    const { place, shown } = attack('targeted', random, { world: trace.world, login });
    expect([place.asn, place.city]).toEqual([login?.place.asn, login?.place.city]);
    expect(shown.userAgent).toBe(login?.shown.userAgent);
  }
  expect(attack('copiedNear', random, { world: trace.world, login }).shown).toEqual(login?.shown);
});

test('a copy from elsewhere comes from a provider that the victim never used', () => {
  const random = seeded(1);
  const login = trace.logins.find(({ place }: Login) => place.kind === undefined);
  const used = new Set<number>([login?.place.asn]);
  for (let round = 0; round < 8; round++) {
    const { place, shown, kept } = attack('copiedElsewhere', random, { world: trace.world, login, used });
    expect(place.country).toBe(login?.truth.person.country.code);
    expect(used.has(place.asn)).toBe(false);
    expect([shown, kept.key]).toEqual([login?.shown, undefined]);
    used.add(place.asn);
  }
});

test('a seen value gives up the share of the unseen ones', () => {
  expect(smoothed(0, 9, 1)).toBeCloseTo(1 / 10);
  expect(smoothed(9, 9, 1)).toBeCloseTo(9 / 10);
  expect(smoothed(3, 6, 2)).toBeCloseTo((3 / 6) * (6 / 8));
});

/** Logins with a single browser, so that only the address matters. */
const login = (user: string, address: string, asn = 1, country = 'DE') => ({
  user,
  place: { address, asn, country },
  shown: { userAgent: 'a 1', browserVersion: 'a 1', os: 'a', kind: 'computer' },
});

test('the model of Freeman et al. has the score that the formula gives by hand', () => {
  const model = createFreeman({ smoothing: 'summed' });
  for (const [user, address] of [
    ['ann', '192.0.2.1'],
    ['ann', '192.0.2.1'],
    ['ann', '192.0.2.2'],
    ['bob', '192.0.2.3'],
  ] as const) {
    model.learn(login(user, address));
  }
  // One provider, one country and one more: 3 unseen addresses, and as many user agents: 4. Half of 4 logins.
  // Among its own 2 logins, the address gives up a share once more, and so does the user agent among its 4.
  const address = (0.6 * (2 / 4) * (1 - 3 / 7) * (2 / 5) + 0.3 + 0.1) / (0.6 * (2 / 3) + 0.3 + 0.1);
  const [finest, ...coarser] = [0.5386653840551359, 0.2680451498625666, 0.18818295100109536, 0.0051065150812021525];
  const agent = finest * (1 - 4 / 8) * (4 / 8) + coarser.reduce((sum, weight) => sum + weight, 0);
  const user = 4 / 3 / 2;
  expect(model.score(login('ann', '192.0.2.1'))).toBeCloseTo(Math.log(address * agent * user), 10);
});

test.each(['summed', 'interpolated'])(
  'back-off orders addresses: own, own network, own country, abroad (%s)',
  (smoothing) => {
    const model = createFreeman({ smoothing });
    for (let round = 0; round < 50; round++) {
      model.learn(login('ann', '192.0.2.1', 1, 'DE'));
      model.learn(login(`other ${round}`, `198.51.100.${round}`, 2 + (round % 5), round % 2 === 0 ? 'DE' : 'FR'));
    }
    const scores = [
      model.score(login('ann', '192.0.2.1', 1, 'DE')),
      model.score(login('ann', '192.0.2.9', 1, 'DE')),
      model.score(login('ann', '203.0.113.9', 9, 'DE')),
      model.score(login('ann', '203.0.113.9', 9, 'FR')),
    ];
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  },
);

test('a threshold challenges at least the share that was asked for', () => {
  const results = [1, 2, 3, 4].map((score) => ({ score }));
  expect(thresholdFor(results, 0.75)).toBe(2);
  expect(shareAt(results, 2)).toBe(0.75);
});

test('the median between two challenges counts people whose next challenge was not seen', () => {
  const often = Array.from({ length: 100 }, (_, at) => ({ user: 'often', score: at % 2 }));
  expect(loginsBetween(often, 1).median).toBe(2);
  const quiet = Array.from({ length: 60 }, (_, user) => Array.from({ length: 10 }, () => ({ user, score: 0 }))).flat();
  expect(loginsBetween([...often.slice(0, 40), ...quiet], 1)).toEqual({ median: undefined, longest: 10 });
});

test('attackers who copy a fingerprint are taken for the device, and most with the same browser are not', () => {
  const known = new Map<string, Set<unknown>>();
  const createScorer = () => ({
    score: ({ user, shown }: Seen) => (known.get(user)?.has(shown.recognisable) ? 1 : 0),
    learn: ({ user, shown }: Seen) => known.set(user, (known.get(user) ?? new Set()).add(shown.recognisable)),
  });
  const { honest, attacks } = replay(trace, { scorer: { createScorer }, proofShare: 0 });
  expect(shareAt(honest, 1)).toBeGreaterThan(0.9);
  expect(shareAt(attacks.copied, 1)).toBeGreaterThan(0.95);
  expect(shareAt(attacks.targeted, 1)).toBeLessThan(0.5);
});

test("the service's rules challenge a stranger's device, and fewer honest logins", () => {
  const { honest, attacks } = replay(trace, { scorer: byRules, proofShare: 0.9 });
  expect(shareAt(attacks.targeted, 1)).toBeGreaterThan(0.99);
  expect(shareAt(honest, 1)).toBeLessThan(0.4);
});

describe('the fitted weights', () => {
  const honestAt = (share: number, proofShare: number) => {
    const { honest, attacks } = replay(trace, { scorer: byRisk, proofShare });
    const threshold = thresholdFor(attacks.targeted, share);
    const stopped = (name: string) => shareAt(attacks[name], threshold);
    return { honest: shareAt(honest, threshold), stopped };
  };

  test('tell targeted attackers from honest people without proofs', () => {
    expect(honestAt(0.98, 0).honest).toBeLessThan(0.25);
  });

  test('stop neighbours, and copies from another provider, with 90% proofs', () => {
    const { honest, stopped } = honestAt(0.98, 0.9);
    expect(honest).toBeLessThan(0.15);
    expect(stopped('neighbour')).toBeGreaterThan(0.95);
    expect(stopped('copiedElsewhere')).toBeGreaterThan(0.75);
  });

  test.each([0, 0.9])('challenge every copy from a provider that the user never had (%d proofs)', (proofShare) => {
    const { attacks } = replay(trace, { scorer: byRisk, proofShare });
    expect(shareAt(attacks.copiedElsewhere, defaultSettings.risk.threshold)).toBe(1);
  });
});

test("the service's rules notice stuffing within 200 tries, and raise no false alarm", () => {
  const { falseAlarmsPerYear, found } = watch(trace, {
    detector: serviceRules,
    names: ['stuffingRotating', 'guessing200'],
    starts: [200],
  });
  expect(falseAlarmsPerYear).toBe(0);
  for (const { delays } of found) expect(delays[0]).toBeLessThanOrEqual(200);
});

async function readAll(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'risk-'));
  try {
    const path = join(folder, 'logins.csv');
    writeFileSync(path, text);
    const attempts = [];
    for await (const attempt of readCsv(path)) attempts.push(attempt);
    return attempts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const header =
  'index,Login Timestamp,User ID,Round-Trip Time [ms],IP Address,Country,Region,City,ASN,User Agent String,Browser Name and Version,OS Name and Version,Device Type,Login Successful,Is Attack IP,Is Account Takeover';

test('the loader reads the public data set’s format', async () => {
  const row = (fields: string) => `0,2020-02-03 12:43:30.772,-43242,,10.0.65.171,NO,-,-,29695,${fields}`;
  const [attempt, attacked] = await readAll(
    [
      header,
      row('"Mozilla/5.0 (Windows NT 10.0, ""x"")",Firefox 20.0.0.1618,Windows 10,desktop,True,False,False'),
      row('Mozilla/5.0,Firefox 20.0.0.1618,Windows 10,desktop,False,True,False'),
    ].join('\r\n'),
  );
  expect(attempt).toMatchObject({
    at: Date.UTC(2020, 1, 3, 12, 43, 30, 772),
    user: '-43242',
    outcome: 'succeeded',
    place: { address: '10.0.65.171', network: '10.0.65', asn: 29695, country: 'NO' },
    shown: { userAgent: 'Mozilla/5.0 (Windows NT 10.0, "x")', os: 'Windows 10', kind: 'desktop' },
    truth: { who: 'owner' },
  });
  expect(attacked).toMatchObject({ outcome: 'failed', truth: { who: 'attack address' } });
});

test('a file without a column is refused by name', async () => {
  await expect(readAll('index,User ID\n0,1')).rejects.toThrow('"Login Timestamp"');
});
