import { inSnapshot } from '../../ground/db/replica/snapshot.js';
import { dayMs, hourMs, hourSeconds } from '../../ground/time.js';
import { oldSources } from '../../resources/addresses/rules/age.js';
import type { World } from '../../resources/projects/worlds.js';
import type { Service } from '../../resources/service.js';
import { countActivity, readHours } from '../activity/queries.js';
import { countRuleResults } from '../activity/rule-results-queries.js';
import type { Counted } from '../activity/rules.js';
import { comparedWeeks, unusualRates } from '../activity/unusual-rules.js';
import { listFailingEndpoints } from '../webhooks/queries/webhook-endpoints.js';
import { withoutQuery } from '../webhooks/rules/endpoint-urls.js';
import { countWaitingReviews } from './reviews-queries.js';
import { type AlertCondition, maxCountedReviews, startOfRecent } from './rules/alert-condition.js';

/**
 * Returns what somebody should look at in a world now, in the order in which it is shown. The overview and the job that
 * sends alerts both use it.
 */
export async function readAlertConditions(
  service: Service,
  { worldId, settings }: Pick<World, 'worldId' | 'settings'>,
): Promise<AlertCondition[]> {
  const { db, now, addresses, sender } = service;
  const [activity, endpoints, results, reviews] = await Promise.all([
    readRecentActivity(service, worldId),
    listFailingEndpoints(db, worldId),
    settings.rules.length > 0 ? countRuleResults(db, worldId) : undefined,
    countWaitingReviews(db, worldId),
  ]);
  const failing = new Set(results?.rules.filter(({ failed }) => failed > 0).map(({ name }) => name));
  return [
    ...activity,
    ...endpoints.flatMap(({ id, url, status }): AlertCondition[] =>
      status === 'healthy' ? [] : [{ kind: 'failing_webhook', endpoint: id, url: withoutQuery(url), status }],
    ),
    ...settings.rules
      .filter(({ name }) => failing.has(name))
      .map(({ name }): AlertCondition => ({ kind: 'failing_rule', rule: name })),
    ...oldSources(addresses.sources(), now()).map(
      ({ label }): AlertCondition => ({ kind: 'old_address_data', source: label }),
    ),
    ...(sender.channels.has('email') ? [] : [{ kind: 'no_mail' } as const]),
    ...(reviews > 0 ? [waitingReviews(reviews)] : []),
  ];
}

function waitingReviews(counted: number): AlertCondition {
  return {
    kind: 'waiting_reviews',
    evaluations: Math.min(counted, maxCountedReviews),
    areMore: counted > maxCountedReviews,
  };
}

/** Reads the last 24 hours, and compares the last full hour with the same hour of earlier weeks. */
async function readRecentActivity({ db, now }: Service, worldId: string): Promise<AlertCondition[]> {
  const from = startOfRecent(now());
  const hour = new Date(from.getTime() + dayMs - hourMs);
  const weeks = Array.from({ length: comparedWeeks }, (_, at) => new Date(hour.getTime() - (at + 1) * 7 * dayMs));
  const span = { from, columnSeconds: hourSeconds, now: now() };
  const [recent, { first, counted }] = await Promise.all([
    inSnapshot(db, (trx) => countActivity(trx, worldId, span)),
    readHours(db, worldId, weeks),
  ]);
  const inHour = (all: readonly Counted[], start: Date) => all.filter(({ at }) => at.getTime() === start.getTime());
  const earlier = weeks.filter((week) => first && week >= first).map((week) => inHour(counted, week));
  const campaign = recent
    .filter(({ kind, label }) => kind === 'reason' && label === 'credential_stuffing')
    .reduce((total, { count }) => total + count, 0);
  return [
    ...unusualRates(inHour(recent, hour), earlier).map(
      (rate): AlertCondition => ({ kind: 'unusual_rate', ...rate, hour: hour.toISOString() }),
    ),
    ...(campaign > 0 ? [{ kind: 'campaign', evaluations: campaign } as const] : []),
  ];
}
