import { html } from 'hono/html';
import type { ChallengeStatus } from 'whorl/wire';
import { type Position, start } from '../../../domain/dashboard/position.js';
import type { ScannedPart } from '../../../operations/dashboard/scanned-part.js';
import type { ListedChallengeRow } from '../../../store/queries/dashboard/challenges.js';
import { tabs } from '../acts.js';
import { reasonList } from '../facts.js';
import type { DashboardPage } from '../layout.js';
import { challengeLink, type Place, userLink, whole } from '../links.js';
import { badge, emptyState, type Html, section, table, time } from '../parts.js';
import { scannedWayOn } from '../scanned.js';
import { spaced } from '../words.js';

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
