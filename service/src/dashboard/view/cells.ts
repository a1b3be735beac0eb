import { html } from 'hono/html';
import type { Device, Metadata, Reason, Verdict } from 'whorl/wire';
import { reasonRules } from '../../evaluation/rules/reasons/table.js';
import type { EvaluationFilter } from '../../evaluation/search/rules/filters.js';
import { type Position, printPosition, type ScannedPart } from '../../ground/db/position-rules.js';
import type { Permission } from '../../resources/admins/permissions.js';
import { readSubject, type Subject, subjectPath } from '../subjects/rules.js';
import { badge, definitionList, type Html, time } from './parts.js';

/** Path prefix of a world's pages, the CSRF token of their forms, and what the member may do there. */
export interface Place {
  readonly base: string;
  readonly formToken: string;
  readonly can: (permission: Permission) => boolean;
}

/**
 * Renders a link to a user. It uses the service's ID because the customer's identifier can be an email address. The name
 * of an unknown user in a failed attempt is not stored.
 */
export function userLink({ base }: Place, id: string | null | undefined, externalId: string | null | undefined): Html {
  if (externalId === null || externalId === undefined) return html`<span class="quiet">unknown user</span>`;
  const name = clipped(externalId);
  return id ? html`<a href="${base}/users/${id}">${name}</a>` : name;
}

export function deviceLink({ base }: Place, id: string, text: string): Html {
  return html`<a href="${base}/devices/${id}">${text}</a>`;
}

export function challengeLink({ base }: Place, id: string, text: string): Html {
  return html`<a href="${base}/challenges/${id}">${clipped(text)}</a>`;
}

export function evaluationLink({ base }: Place, id: string, text: string): Html {
  return html`<a href="${base}/evaluations/${id}">${clipped(text)}</a>`;
}

/** Returns the path of the list of evaluations with a filter, from a time on. */
export function evaluationsPath(
  { base }: Pick<Place, 'base'>,
  filter: EvaluationFilter & { readonly start_date?: string },
): string {
  const entries = Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]);
  return `${base}/evaluations?${new URLSearchParams(entries)}`;
}

/** Renders a link to the page of what evaluations have in common. Text that names none is shown without a link. */
export function subjectLink({ base }: Place, kind: Subject['kind'], value: string, text = value): Html {
  const subject = readSubject(kind, value);
  if (!subject) return unbroken(text);
  return html`<a class="${lineClass(text)}" href="${base}${subjectPath(subject)}">${text}</a>`;
}

/** Renders an IP address, or an IPv6 /64, with a link to its page. Another range links to its evaluations. */
export function addressLink(place: Place, address: string | null | undefined): Html | undefined {
  if (!address) return undefined;
  if (readSubject('address', address)) return subjectLink(place, 'address', address);
  return html`<a class="${lineClass(address)}" href="${evaluationsPath(place, { ip: address })}">${address}</a>`;
}

/** Renders a link to the accounts that are linked to a user. Undefined for a user that is not stored. */
export function linkedLink({ base }: Place, userId: string | null): Html | undefined {
  return userId === null ? undefined : html`<a href="${base}/users/${userId}/linked">Linked accounts</a>`;
}

/** Renders a name on one line. A long name is cut off; the title has the full text. */
function clipped(text: string): Html {
  return html`<span class="long" title="${text}">${text}</span>`;
}

/** Renders an IP address or another value, on one line unless it is long. */
export function unbroken(value: string): Html {
  return html`<span class="${lineClass(value)}">${value}</span>`;
}

/** Longest value that always stays on one line. Longer ones would make tables wider than the window. */
const maxOnOneLine = 24;

function lineClass(text: string): string {
  return text.length <= maxOnOneLine ? 'whole' : '';
}

/** Renders an ID, a fingerprint or another machine-readable value. */
export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

export interface PagerOptions {
  /** The path of the page, without the positions of its lists. */
  readonly path: string;
  /** The query parameter with the position of this list. */
  readonly name: string;
  /** The position of the next page. */
  readonly next: Position | undefined;
  /** Whether this is the first page. */
  readonly isFirst: boolean;
  /** Other query parameters to keep. */
  readonly keep?: Readonly<Record<string, string | undefined>> | undefined;
  /** Default: "Older". */
  readonly text?: string | undefined;
}

/** Renders links to the newest and the next page of a list. Undefined if the list has only one page. */
export function pager({ path, name, next, isFirst, keep = {}, text = 'Older' }: PagerOptions): Html | undefined {
  if (!next && isFirst) return undefined;
  const urlOf = (position?: Position) => {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(keep)) if (value) query.set(key, value);
    if (position) query.set(name, printPosition(position));
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return html`<nav class="pager" aria-label="Pagination">
${isFirst ? html`<span class="quiet">Newest</span>` : html`<a href="${urlOf()}">Newest</a>`}
${next ? html`<a href="${urlOf(next)}" rel="next">${text}</a>` : html`<span class="quiet">End of list</span>`}
</nav>`;
}

/** Renders the pager of a list that is searched backwards in time, and how far back the search went. */
export function scannedPager<Row>(part: ScannedPart<Row>, options: Omit<PagerOptions, 'next'>): Html {
  const { next, searchedBackTo } = part;
  return html`${searchedBackTo && html`<p>Searched back to ${time(searchedBackTo)}. Older entries may also match.</p>`}
${pager({ ...options, next, text: searchedBackTo ? 'Search older entries' : undefined })}`;
}

/** Returns the name of a reason. */
export function reasonTitle(reason: Reason): string {
  return reasonRules[reason].words.title;
}

/** Renders reasons by name, each with its explanation as the title. */
export function reasonList(reasons: readonly Reason[]): Html | undefined {
  if (reasons.length === 0) return undefined;
  const name = (reason: Reason, index: number) =>
    html`${index > 0 && ', '}<span title="${reasonRules[reason].words.explanation}">${reasonTitle(reason)}</span>`;
  return html`<span>${reasons.map(name)}</span>`;
}

/** Renders the tags of an evaluation, each with a link to all that have it. Undefined if there are none. */
export function tagList(place: Place, tags: readonly string[] | null | undefined): Html | undefined {
  if (!tags || tags.length === 0) return undefined;
  return html`<span>${tags.map((tag) => html` <a class="badge tag" href="${evaluationsPath(place, { tag })}">${tag}</a>`)}</span>`;
}

/** What was found about an evaluation. */
export interface Found {
  readonly reasons: readonly Reason[];
  readonly tags: readonly string[] | null;
  readonly shadow_rules: readonly string[] | null;
}

/** Renders what was found about an evaluation: its reasons and tags, and the rules in shadow that matched. */
export function foundCell(place: Place, { reasons, tags, shadow_rules: rules }: Found): Html | undefined {
  if (reasons.length === 0 && !rules) return undefined;
  const shadowed = rules?.map(
    (rule) => html` <span class="quiet">in shadow: <a href="${evaluationsPath(place, { rule })}">${rule}</a></span>`,
  );
  return html`<span>${reasonList(reasons)}${tagList(place, tags)}${shadowed}</span>`;
}

/** Renders a verdict, and the observed verdict if the project is in observe mode. */
export function verdicts(verdict: Verdict, observed?: Verdict | null): Html {
  return html`<span>${badge(verdict)}${observed && html` <span class="quiet">observed:</span> ${badge(observed)}`}</span>`;
}

/** Renders the status and trust of a device. */
export function deviceState({
  status,
  trusted,
  whitelisted,
  proven,
  auto_detached,
}: Pick<Device, 'status' | 'trusted' | 'whitelisted' | 'proven' | 'auto_detached'>): Html {
  const more = [
    auto_detached && 'inactive',
    whitelisted ? 'permanently trusted' : trusted && 'trusted',
    proven && 'has a key',
  ].filter((word) => word !== false);
  return html`<span>${badge(status)}${more.length > 0 && ` ${more.join(', ')}`}</span>`;
}

/** Renders metadata by key. Values other than strings are shown as JSON. */
export function metadataList(metadata: Metadata): Html {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return html`<p class="quiet">No metadata.</p>`;
  const texts = entries.map(
    ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  // It can be long, and must be scrollable by keyboard.
  return html`<div class="metadata" role="region" aria-label="Metadata" tabindex="0">${definitionList(texts)}</div>`;
}
