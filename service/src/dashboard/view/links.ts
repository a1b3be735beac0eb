import { html } from 'hono/html';
import { type Position, printPosition } from '../position-rules.js';
import type { Html } from './parts.js';

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
