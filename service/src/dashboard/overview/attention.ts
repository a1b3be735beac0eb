import { countActivity, readHours } from '../../effects/activity/queries.js';
import type { Counted } from '../../effects/activity/rules.js';
import { comparedWeeks, type UnusualRate, unusualRates } from '../../effects/activity/unusual-rules.js';
import { type ListedEndpoint, listEndpoints } from '../../effects/webhooks/endpoints.js';
import { inSnapshot } from '../../ground/db/replica/snapshot.js';
import { dayMs, hourMs, hourSeconds } from '../../ground/time.js';
import { oldSources } from '../../resources/addresses/rules/age.js';
import type { Service } from '../../resources/service.js';
import { countRuleResults } from '../custom-rules/results-queries.js';
import type { DashboardRequest } from '../dashboard-request.js';
import { countWaitingReviews, maxCountedReviews } from './queries.js';

/** What somebody should look at. */
export interface Attention {
  /** Rates of the last full hour. */
  readonly unusual: readonly UnusualRate[];
  readonly unusualHour: Date;
  /** Evaluations of about the last 24 hours that belong to a campaign of credential stuffing. */
  readonly campaign: number;
  /** Endpoints that fail or were switched off. */
  readonly endpoints: readonly ListedEndpoint[];
  /** Names of rules whose condition fails. */
  readonly failingRules: readonly string[];
  /** Old data about addresses, by label. */
  readonly oldAddressData: readonly string[];
  /** At most `maxCountedReviews`. */
  readonly reviews: number;
}

export { maxCountedReviews };

/** Reads what needs attention in a project's world. */
export async function readAttention({ reader: service, caller, world, can }: DashboardRequest): Promise<Attention> {
  const { db, now, addresses } = service;
  const { worldId, settings } = caller;
  const [activity, endpoints, results, reviews] = await Promise.all([
    readRecentActivity(service, worldId),
    can('manage_webhooks') ? listEndpoints(service, { project: world.projectId, mode: world.mode }) : [],
    settings.rules.length > 0 ? countRuleResults(db, worldId) : undefined,
    countWaitingReviews(db, worldId),
  ]);
  const failing = new Set(results?.rules.filter(({ failed }) => failed > 0).map(({ name }) => name));
  return {
    ...activity,
    endpoints: endpoints.filter(({ status }) => status !== 'healthy'),
    failingRules: settings.rules.map(({ name }) => name).filter((name) => failing.has(name)),
    oldAddressData: oldSources(addresses.sources(), now()).map(({ label }) => label),
    reviews,
  };
}

/** Reads the last 24 hours, and compares the last full hour with the same hour of earlier weeks. */
async function readRecentActivity({ db, now }: Service, worldId: string) {
  const end = new Date(Math.floor(now().getTime() / hourMs) * hourMs);
  const unusualHour = new Date(end.getTime() - hourMs);
  const weeks = Array.from(
    { length: comparedWeeks },
    (_, at) => new Date(unusualHour.getTime() - (at + 1) * 7 * dayMs),
  );
  const span = { from: new Date(end.getTime() - dayMs), columnSeconds: hourSeconds, now: now() };
  const [recent, { first, counted }] = await Promise.all([
    inSnapshot(db, (trx) => countActivity(trx, worldId, span)),
    readHours(db, worldId, weeks),
  ]);
  const inHour = (all: readonly Counted[], hour: Date) => all.filter(({ at }) => at.getTime() === hour.getTime());
  const earlier = weeks.filter((week) => first && week >= first).map((week) => inHour(counted, week));
  const campaign = recent
    .filter(({ kind, label }) => kind === 'reason' && label === 'credential_stuffing')
    .reduce((total, { count }) => total + count, 0);
  return { unusual: unusualRates(inHour(recent, unusualHour), earlier), unusualHour, campaign };
}
