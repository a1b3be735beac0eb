import { dayMs } from '../../../ground/time.js';
import type { Caller, Service } from '../../../resources/service.js';
import { countLabels, type LabelCounts } from './queries.js';

export const labelDays = 90;
/** Maximum number of labels that are counted. It bounds the cost of the page. */
export const maxLabels = 20_000;

/** Counts the labels of the last 90 days. */
export function loadLabels(service: Service, { worldId }: Caller): Promise<LabelCounts> {
  const since = new Date(service.now().getTime() - labelDays * dayMs);
  return countLabels(service.db, worldId, { since, limit: maxLabels });
}
