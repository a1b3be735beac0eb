import { expect, test } from 'vitest';
import { hourMs } from '../../../src/ground/time.js';
import {
  type Baseline,
  isCampaign,
  isCountedEnough,
  observeFailure,
  type UnfamiliarFailure,
} from '../../../src/recognition/velocity/rules/baseline.js';

const start = new Date('2026-03-01T00:00:00Z');
const after = (hours: number) => new Date(start.getTime() + hours * hourMs);

const anyUser: UnfamiliarFailure = { userExists: true, network: 0 };

/** Returns the baseline after failures at these hours: each from another network, unless `more` says something else. */
function observe(
  hours: readonly number[],
  before?: Baseline,
  more: (index: number) => Partial<UnfamiliarFailure> = () => ({}),
): Baseline {
  const baseline = hours.reduce<Baseline | undefined>((known, hour, index) => {
    const failure = { ...anyUser, network: index, ...more(index) };
    return known && isCountedEnough(known, failure, after(hour)) ? known : observeFailure(known, failure, after(hour));
  }, before);
  if (!baseline) throw new Error('There are no failures.');
  return baseline;
}

const every = (hours: number, until: number) => Array.from({ length: until / hours }, (_, at) => at * hours);
const burst = (count: number, from: number, everyHours = 0.01) =>
  Array.from({ length: count }, (_, at) => from + at * everyHours);

test('a campaign is noticed within 12 failures where they are rare', () => {
  const usual = observe(every(24, 1000));
  expect(isCampaign(observe(burst(11, 1000), usual), after(1001))).toBe(false);
  expect(isCampaign(observe(burst(12, 1000), usual), after(1001))).toBe(true);
});

test('names that nobody has weigh a quarter', () => {
  const usual = observe(every(24, 1000));
  const unknown = () => ({ userExists: false });
  expect(isCampaign(observe(burst(40, 1000), usual, unknown), after(1001))).toBe(false);
  expect(isCampaign(observe(burst(48, 1000), usual, unknown), after(1001))).toBe(true);
});

test('fewer than 8 networks are no campaign, and each counts twice', () => {
  const usual = observe(every(24, 1000));
  const from = (networks: number) => (index: number) => ({ network: -1 - (index % networks) });
  const ofFew = observe(burst(10_000, 1000, 0.0001), usual, from(7));
  expect(ofFew.networks).toHaveLength(14);
  expect(isCampaign(ofFew, after(1001))).toBe(false);
  expect(isCampaign(observe(burst(16, 1000), usual, from(8)), after(1001))).toBe(true);
});

test('a long campaign is remembered by its newest networks', () => {
  const { networks } = observe(burst(400, 1000, 0.01), observe([0]));
  expect(networks.length).toBeLessThanOrEqual(256);
});

test('a campaign is noticed where failures are frequent', () => {
  const usual = observe(every(0.2, 2000));
  expect(usual.perHour).toBeGreaterThan(4);
  expect(usual.perHour).toBeLessThan(5.5);
  expect(isCampaign(usual, after(2000))).toBe(false);
  expect(isCampaign(observe(burst(40, 2000), usual), after(2000.4))).toBe(true);
});

test('the first week is no campaign, whatever the rate', () => {
  const busy = observe(every(0.1, 24 * 6));
  expect(isCampaign(busy, after(24 * 6))).toBe(false);
  const later = observe(every(0.1, 24 * 21));
  expect(isCampaign(later, after(24 * 21))).toBe(false);
});

test('a campaign ends when the failures do, and hardly changes what is usual', () => {
  const usual = observe(every(24, 1000));
  const campaign = observe(burst(10_000, 1000), usual);
  expect(campaign.perHour).toBeLessThan(usual.perHour * 4);
  expect(isCampaign(campaign, after(1100))).toBe(true);
  expect(isCampaign(campaign, after(1300))).toBe(false);
});

test('the failures of a campaign are counted from its start', () => {
  // The first one follows a long pause, which outweighs it.
  const campaign = observe(burst(15, 1000), observe(every(24, 1000)));
  expect(campaign).toMatchObject({ failures: 14, risingSince: after(1000.01) });
});

test('failures that hardly change the baseline are settled', () => {
  const campaign = observe(burst(100, 1000, 0.0001), observe([0]));
  const stranger = { ...anyUser, network: 1000 };
  expect(isCountedEnough(campaign, stranger, campaign.updatedAt)).toBe(true);
  expect(isCountedEnough(campaign, stranger, new Date(campaign.updatedAt.getTime() + 10_000))).toBe(false);
  expect(isCountedEnough(observe([0]), stranger, start)).toBe(false);
});

test('a clock that is behind changes no time', () => {
  const late = observe([10, 9]);
  expect(late.updatedAt).toEqual(after(10));
  expect(late.excess).toBeGreaterThan(0);
});
