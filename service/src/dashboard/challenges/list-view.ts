import { html } from 'hono/html';
import type { ChallengeStatus } from 'whorl/wire';
import { type Position, start } from '../position-rules.js';
import type { ScannedPart } from '../scanned-part.js';
import { tabs } from '../view/acts.js';
import { reasonList } from '../view/facts.js';
import type { DashboardPage } from '../view/layout.js';
import { challengeLink, type Place, userLink, whole } from '../view/links.js';
import { badge, emptyState, type Html, section, table, time } from '../view/parts.js';
import { scannedWayOn } from '../view/scanned.js';
import { spaced } from '../view/words.js';
import type { ListedChallengeRow } from './queries.js';

export const challengeStatuses: readonly ChallengeStatus[] = ['pending', 'completed', 'skipped', 'expired'];

/** Challenges, newest first. */
export function challengesPage(
  place: Place,
  part: ScannedPart<ListedChallengeRow>,
  { status, from }: { readonly status: ChallengeStatus | undefined; readonly from: Position },
): DashboardPage {
  const path = `${place.base}/challenges`;
  const choice = tabs('Status', [
    { text: 'all', href: path, isCurrent: status === undefined },
    ...challengeStatuses.map((one) => ({ text: one, href: `${path}?status=${one}`, isCurrent: one === status })),
  ]);
  const list = challengesTable(place, part.rows, { withUser: true });
  const way = scannedWayOn(part, { path, name: 'from', isFirst: from === start, keep: { status } });
  return { title: 'Challenges', section: 'challenges', body: section('Newest', [choice, html`${list}${way}`]) };
}

export function challengesTable(
  place: Place,
  challenges: readonly ListedChallengeRow[],
  { withUser }: { readonly withUser: boolean },
): Html {
  if (challenges.length === 0) return emptyState('No challenges.');
  const rows = challenges.map((row) => [
    challengeLink(place, row.id, spaced(row.action)),
    ...(withUser ? [userLink(place, row.user_id, row.external_user)] : []),
    badge(row.status),
    reasonList(row.reasons),
    whole(row.ip),
    time(row.created_at),
  ]);
  return table(
    ['Challenge', ...(withUser ? ['User'] : []), 'Status', 'Reasons', 'Address', 'Made'],
    rows,
    'Challenges',
  );
}
