import { html } from 'hono/html';
import type { Device, Metadata, Reason, Verdict } from 'whorl/wire';
import { type Position, printPosition, type ScannedPart } from '../position-rules.js';
import { badge, definitionList, type Html, time } from './parts.js';
import { reasonWords, spaced } from './words.js';

/** Where the pages of a world stand, and what their forms carry. */
export interface Place {
  readonly base: string;
  readonly formToken: string;
}

/** The way to a user: by the service's id, since the customer's may be a mail address. */
export function userLink({ base }: Place, id: string | null | undefined, externalId: string): Html {
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

/** A name that may be long, in one line: what there is no room for stands in its title. */
function clipped(text: string): Html {
  return html`<span class="long" title="${text}">${text}</span>`;
}

/** An address, which is not broken where there is room. */
export function whole(address: string | null | undefined): Html | undefined {
  return address ? html`<span class="whole">${address}</span>` : undefined;
}

/** An id, a fingerprint, or what else is not for reading. */
export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

export interface WayOn {
  /** The address of the page as it is, without where its lists begin. */
  readonly path: string;
  /** Of the query: where this list begins. */
  readonly name: string;
  /** Where it goes on. */
  readonly next: Position | undefined;
  /** Whether this part is the first one. */
  readonly isFirst: boolean;
  /** What is kept of the query. */
  readonly keep?: Readonly<Record<string, string | undefined>> | undefined;
  /** Default: "Older". */
  readonly text?: string | undefined;
}

/** The way through a list that goes on from a position; nothing where all of it is there. */
export function wayOn({ path, name, next, isFirst, keep = {}, text = 'Older' }: WayOn): Html | undefined {
  if (!next && isFirst) return undefined;
  const addressOf = (position?: Position) => {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(keep)) if (value) query.set(key, value);
    if (position) query.set(name, printPosition(position));
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return html`<nav class="pager" aria-label="Parts of the list">
${isFirst ? html`<span class="quiet">Newest</span>` : html`<a href="${addressOf()}">Newest</a>`}
${next ? html`<a href="${addressOf(next)}" rel="next">${text}</a>` : html`<span class="quiet">No more</span>`}
</nav>`;
}

/** The way through a list that is searched backwards in time, and how far back it was looked at. */
export function scannedWayOn<Row>(part: ScannedPart<Row>, way: Omit<WayOn, 'next'>): Html {
  const { next, searchedBackTo } = part;
  return html`${searchedBackTo && html`<p>Searched back to ${time(searchedBackTo)}. Older ones may match too.</p>`}
${wayOn({ ...way, next, text: searchedBackTo ? 'Search further back' : undefined })}`;
}

/** Reasons by name; what each one says, for those who ask. */
export function reasonList(reasons: readonly Reason[]): Html | undefined {
  if (reasons.length === 0) return undefined;
  const name = (reason: Reason, index: number) =>
    html`${index > 0 && ', '}<span title="${reasonWords[reason]}">${spaced(reason)}</span>`;
  return html`<span>${reasons.map(name)}</span>`;
}

/** A verdict, and the one that would have been given where the project only observes. */
export function verdicts(verdict: Verdict, observed?: Verdict | null): Html {
  return html`<span>${badge(verdict)}${observed && html` <span class="quiet">observed:</span> ${badge(observed)}`}</span>`;
}

/** How a device stands with its user. */
export function deviceState({
  status,
  trusted,
  whitelisted,
  proven,
  auto_detached,
}: Pick<Device, 'status' | 'trusted' | 'whitelisted' | 'proven' | 'auto_detached'>): Html {
  const more = [
    auto_detached && 'after a time without use',
    whitelisted ? 'trusted for good' : trusted && 'trusted',
    proven && 'holds a key',
  ].filter((word) => word !== false);
  return html`<span>${badge(status)}${more.length > 0 && ` ${more.join(', ')}`}</span>`;
}

/** Metadata by key; what is no text stands as JSON. */
export function metadataList(metadata: Metadata): Html {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return html`<p class="quiet">No metadata.</p>`;
  const texts = entries.map(
    ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  // It may be long, and is then scrolled, by keyboard too.
  return html`<div class="metadata" role="region" aria-label="Metadata" tabindex="0">${definitionList(texts)}</div>`;
}
