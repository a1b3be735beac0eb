import { html, raw } from 'hono/html';
import { expectedDrift, type FacetName, parse } from 'whorl/fingerprint';
import { pictureOf } from 'whorl/picture';
import { code, type Place } from '../view/links.js';
import { type Cell, definitionList, type Html, table, time } from '../view/parts.js';
import { integrityWords } from '../view/words.js';
import type { ShownDevice, ShownVariant } from './load-one.js';
import type { VariantChange } from './variants-rules.js';

const pictureSize = 240;

/** A fingerprint as a picture, with what changed since the one before drawn thicker; words alone for other texts. */
export function fingerprintPicture(variant: ShownVariant, older: ShownVariant | undefined): Html {
  const text = html`<p>${code(shortened(variant.fingerprint))}</p>`;
  if (!parse(variant.fingerprint)) {
    return html`<p>This fingerprint is a text of your own: it is matched exactly, and has no picture.</p>${text}`;
  }
  const compareWith = older && parse(older.fingerprint) ? older.fingerprint : undefined;
  // Safe as it is: pictureOf throws for what is no fingerprint, and escapes the rest. It has no styles and no scripts.
  const picture = raw(pictureOf(variant.fingerprint, { size: pictureSize, compareWith }));
  return html`<div class="picture">${picture}<div>
<p>From the inside out: hardware, software, settings; an arc for each facet.${compareWith && ' What changed since the fingerprint before is outlined.'} Dotted: could not be read.</p>
${text}${changeDetails(variant.change)}</div></div>`;
}

/** Opaque texts may be long. */
function shortened(fingerprint: string): string {
  const most = 300;
  return fingerprint.length > most ? `${fingerprint.slice(0, most)}…` : fingerprint;
}

/** Each changed facet, with when it is expected to. */
function changeDetails(change: VariantChange | undefined): Html | undefined {
  if (!change || change.changed.length === 0) return undefined;
  return html`<h3>Changed since the fingerprint before</h3>
${definitionList(change.changed.map(({ name, group }) => [`${name} (${group})`, `expected with: ${expectedDrift[name]}`]))}`;
}

/** All fingerprints of a device's identity in time, each with what it changed of the one before. */
export function variantsTable(place: Place, { device, variants, variantId, hasMoreVariants }: ShownDevice): Html {
  const rows = variants.map((variant, index): Cell[] => [
    time(variant.firstSeenAt),
    time(variant.lastSeenAt),
    changeCell(variant, index === variants.length - 1 && !hasMoreVariants),
    noteOf(variant, variantId),
    html`<a href="${place.base}/devices/${device._id}?variant=${variant.id}">show</a>`,
  ]);
  return html`${table(['First seen', 'Last seen', 'What changed', 'Note', 'Picture'], rows, 'Fingerprints of the device')}
${hasMoreVariants && html`<p class="quiet">Others that were not seen for longer are not shown.</p>`}`;
}

function noteOf({ id, isCovered }: ShownVariant, ownId: string): string {
  const notes = [id === ownId && 'in use', isCovered && 'trusted'];
  return notes.filter(Boolean).join(', ');
}

function changeCell({ change }: ShownVariant, isFirst: boolean): Cell {
  if (!change) return isFirst ? 'the first' : undefined;
  const lines = [
    ...change.descriptor.map(({ from, to }) => `${from} → ${to}`),
    change.changed.length > 0 && groupsOf(change.changed),
    change.lost.length > 0 && `no more readable: ${change.lost.join(', ')}`,
    change.found.length > 0 && `readable again: ${change.found.join(', ')}`,
    ...change.integrity.map((bit) => integrityWords[bit]),
  ].filter((line) => line !== false);
  if (lines.length === 0) return 'nothing that counts';
  return html`<span>${lines.map((line, index) => html`${index > 0 && html`<br/>`}${line}`)}</span>`;
}

function groupsOf(changed: VariantChange['changed']): Html {
  const groups = [...new Set(changed.map(({ group }) => group))];
  const facet = (name: FacetName, index: number) =>
    html`${index > 0 && ', '}<span title="${`expected with: ${expectedDrift[name]}`}">${name}</span>`;
  const line = (group: string, index: number) => {
    const names = changed.filter((one) => one.group === group).map(({ name }) => name);
    return html`${index > 0 && '; '}${group}: ${names.map(facet)}`;
  };
  return html`${groups.map(line)}`;
}
