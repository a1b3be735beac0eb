import { html } from 'hono/html';
import type { DetachCause } from 'whorl/wire';
import type { AdminActionName } from '../../db/schema/index.js';
import { reasonList, verdicts } from '../view/facts.js';
import { challengeLink, deviceLink, evaluationLink, type Place, whole } from '../view/links.js';
import { badge, type Cell, type Html, table, time } from '../view/parts.js';
import { adminActionWords, detachWords, eventWords, spaced } from '../view/words.js';
import type { TimelineEntry } from './load-one.js';

type EntryOf<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { readonly kind: Kind }>;

/** What happened to a user, one line each. */
export function timelineTable(place: Place, entries: readonly TimelineEntry[]): Html {
  const rows = entries.map((entry) => [time(entry.at), ...lineOf(place, entry)]);
  return table(['When', 'What', 'Outcome', 'More'], rows, 'Timeline');
}

function lineOf(place: Place, entry: TimelineEntry): readonly [what: Cell, outcome: Cell, more: Cell] {
  switch (entry.kind) {
    case 'evaluation':
      return evaluationLine(place, entry);
    case 'challenge':
      return challengeLine(place, entry);
    case 'event':
      return eventLine(place, entry);
    case 'admin_action':
      return adminLine(place, entry);
  }
}

function evaluationLine(place: Place, { id, detail }: EntryOf<'evaluation'>) {
  const { action, verdict, observed_verdict, reasons, device_id, ip } = detail;
  const device = device_id && deviceLink(place, device_id, 'device');
  const more = html`<span>${reasonList(reasons)}${device && html` ${device}`}${ip && html` ${whole(ip)}`}</span>`;
  return [
    evaluationLink(place, id, `Evaluation: ${spaced(action)}`),
    verdicts(verdict, observed_verdict),
    more,
  ] as const;
}

function challengeLine(place: Place, { id, detail }: EntryOf<'challenge'>) {
  const { action, status, reasons } = detail;
  return [challengeLink(place, id, `Challenge: ${spaced(action)}`), badge(status), reasonList(reasons)] as const;
}

function eventLine(place: Place, { detail }: EntryOf<'event'>) {
  const { type, device_id, challenge_id, cause } = detail;
  const links = [
    challenge_id && challengeLink(place, challenge_id, 'challenge'),
    device_id && deviceLink(place, device_id, 'device'),
  ].filter(Boolean);
  const why = cause && isDetachCause(cause) ? detachWords[cause] : undefined;
  return [eventWords[type], why, links.length > 0 ? html`<span>${links}</span>` : undefined] as const;
}

function isDetachCause(cause: string): cause is DetachCause {
  return Object.hasOwn(detachWords, cause);
}

function adminLine(place: Place, { detail }: EntryOf<'admin_action'>) {
  const { action, subject, admin } = detail;
  return [
    adminActionWords[action],
    `by ${admin ?? 'a former administrator'}`,
    subjectOf(place, action, subject),
  ] as const;
}

function subjectOf(place: Place, action: AdminActionName, subject: string): Html | undefined {
  if (action === 'suspend' || action === 'activate') return undefined;
  if (action === 'label_fraud' || action === 'label_legitimate') return evaluationLink(place, subject, 'evaluation');
  return deviceLink(place, subject, 'device');
}
