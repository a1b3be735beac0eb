import { html } from 'hono/html';
import { codeLimits } from '../../challenges/rules/codes.js';
import { reasonRules } from '../../evaluation/rules/reasons/table.js';
import type { ListedChallengeRow } from '../../resources/challenges/search/queries.js';
import { challengeFilters } from '../../resources/challenges/search/rules/filters.js';
import { type FilteredList, type FilteredListForm, filteredList } from '../filters/filter-view.js';
import {
  addressLink,
  challengeLink,
  code,
  deviceLink,
  deviceState,
  evaluationLink,
  type Place,
  reasonList,
  reasonTitle,
  userLink,
} from '../view/cells.js';
import type { DashboardPage } from '../view/layout.js';
import { badge, type Cell, definitionList, emptyState, type Html, section, table, time } from '../view/parts.js';
import { spaced } from '../view/words.js';
import type { ShownChallenge } from './load.js';

const form: FilteredListForm = {
  name: 'challenges',
  table: challengeFilters,
  first: ['status', 'reason', 'action', 'user', 'method'],
  further: ['ip', 'device_id', 'fingerprint_id'],
};

/** Renders challenges, newest first, with filters. */
export function challengesPage(place: Place, shown: FilteredList<ListedChallengeRow>): DashboardPage {
  const list = challengesTable(place, shown.part.rows, { withUser: true });
  const body = html`${filteredList(place, form, shown, { title: 'Newest challenges', rows: list })}`;
  return { title: 'Challenges', section: 'challenges', body };
}

export function challengesTable(
  place: Place,
  challenges: readonly ListedChallengeRow[],
  { withUser }: { readonly withUser: boolean },
): Html {
  if (challenges.length === 0)
    return emptyState('No challenges found. An evaluation with the verdict "challenge" creates one.');
  const rows = challenges.map((row) => [
    challengeLink(place, row.id, spaced(row.action)),
    ...(withUser ? [userLink(place, row.user_id, row.external_user)] : []),
    badge(row.status),
    reasonList(row.reasons),
    addressLink(place, row.ip),
    time(row.created_at),
  ]);
  return table(
    ['Challenge', ...(withUser ? ['User'] : []), 'Status', 'Reasons', 'IP address', 'Created'],
    rows,
    'Challenges',
  );
}

/** Renders a challenge. Neither the code nor its hash is shown. */
export function challengePage(place: Place, shown: ShownChallenge): DashboardPage {
  const { challenge } = shown;
  const body = html`<div class="grid">
${section('Challenge', definitionList(facts(place, shown)))}
${section('Code', definitionList(codeFacts(shown)))}
</div>
<div class="grid">
${section('Reasons', definitionList(challenge.reasons.map((reason) => [reasonTitle(reason), reasonRules[reason].words.explanation])))}
${section('Times', definitionList(times(shown)))}
</div>
${section('Evaluations that created this challenge', evaluations(place, shown))}`;
  return { title: `Challenge: ${spaced(challenge.action)}`, section: 'challenges', body };
}

function facts(place: Place, { challenge, user, device }: ShownChallenge): (readonly [string, Cell])[] {
  return [
    ['Status', badge(challenge.status)],
    ['User', userLink(place, user?._id, user?.external_id ?? challenge.external_user)],
    ['Device', device && html`<span>${deviceLink(place, device._id, device.info.label)} ${deviceState(device)}</span>`],
    ['IP address', addressLink(place, challenge.ip)],
    ['Verified by', challenge.verified_by],
    ["Application's own factors", challenge.methods?.join(', ')],
    ['ID', code(challenge.id)],
  ];
}

function codeFacts({ challenge, channels, needsOwnFactor, user }: ShownChallenge): (readonly [string, Cell])[] {
  const noChannel = needsOwnFactor
    ? 'none: with prefer_own_factor, the application verifies this user'
    : channels.length === 0 && 'none: the user has no email address or phone number';
  return [
    ['Available channels', noChannel || channels.join(', ')],
    ['Email', user?.email],
    ['Phone', user?.phone],
    ['Last sent by', challenge.code_channel],
    ['Codes sent', `${challenge.sends} of ${codeLimits.sendsPerChallenge}`],
    ['Attempts with the last code', `${challenge.code_tries} of ${codeLimits.triesPerCode}`],
  ];
}

function times({ challenge }: ShownChallenge): (readonly [string, Cell])[] {
  const moment = (at: Date | null) => at && time(at);
  return [
    ['Created', time(challenge.created_at)],
    ['Viewed by the user', moment(challenge.opened_at)],
    ['Code sent', moment(challenge.sent_at)],
    ['Code valid until', moment(challenge.code_expires_at)],
    ['Verified', moment(challenge.verified_at)],
    ['Completed', moment(challenge.completed_at)],
    ['Expires', time(challenge.expires_at)],
  ];
}

function evaluations(place: Place, { evaluations: all }: ShownChallenge): Html {
  if (all.length === 0)
    return html`<p class="quiet">No evaluation is recorded. This is normal if attaching a device created the challenge.</p>`;
  return html`<ul>${all.map(({ id, created_at }) => html`<li>${evaluationLink(place, id, 'Evaluation')} at ${time(created_at)}</li>`)}</ul>`;
}
