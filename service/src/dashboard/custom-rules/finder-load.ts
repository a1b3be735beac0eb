import { type SearchRow, searches } from '../../effects/rule-finder/queries.js';
import { retrieveSearch } from '../../effects/rule-finder/start.js';
import { noSuch } from '../../ground/errors.js';
import type { Rule } from '../../resources/projects/rules/conditions/rule.js';
import type { DashboardRequest } from '../dashboard-request.js';

type Asking = Pick<DashboardRequest, 'service' | 'world'>;

const listed = 5;

/** Returns the newest searches of the world. */
export function loadSearches({ service, world }: Asking): Promise<SearchRow[]> {
  return searches.list(service.db, world.worldId, listed);
}

/** Returns a search of the world. @throws {ApiError} `not_found` */
export async function findSearch({ service, world }: Asking, id: string | undefined): Promise<SearchRow> {
  const search = await retrieveSearch(service, world.worldId, id ?? '');
  if (!search) throw noSuch('search');
  return search;
}

/** Returns the rule that a search has found, as a draft. @throws {ApiError} `not_found` */
export function draftOfSearch({ report }: SearchRow): Rule {
  if (!report?.found || !('when' in report.found)) throw noSuch('search');
  return { name: 'Found rule', when: report.found.when, effect: 'review', actions: [], state: 'shadow' };
}
