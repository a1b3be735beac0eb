import { html } from 'hono/html';
import type { ScannedPart } from '../scanned-part.js';
import { type WayOn, wayOn } from './links.js';
import { type Html, time } from './parts.js';

/** The way through a list that is searched backwards in time, and how far back it was looked at. */
export function scannedWayOn<Row>(part: ScannedPart<Row>, way: Omit<WayOn, 'next'>): Html {
  const { next, searchedBackTo } = part;
  return html`${searchedBackTo && html`<p>Searched back to ${time(searchedBackTo)}. Older ones may match too.</p>`}
${wayOn({ ...way, next, text: searchedBackTo ? 'Search further back' : undefined })}`;
}
