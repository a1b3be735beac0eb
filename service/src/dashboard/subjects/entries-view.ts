import { html } from 'hono/html';
import type { ListEntry } from 'whorl/wire';
import { listEffects } from '../../ground/vocabulary.js';
import { type Place, unbroken } from '../view/cells.js';
import { badge, type Cell, emptyState, field, form, type Html, hidden, table, time } from '../view/parts.js';
import { listEffectWords } from '../view/words.js';
import type { ShownSubject } from './load.js';
import type { Subject } from './rules.js';

/** Renders the entries of lists that apply to a subject. */
export function entriesPart(place: Place, { subject, entries }: ShownSubject): Html {
  if (entries.length === 0) return emptyState('No list has an entry for it.');
  const rows = entries.map((entry) => [
    unbroken(entry.value),
    badge(entry.effect),
    entry.note,
    html`${time(entry.created_at)}`,
    entry.expires_at === undefined ? undefined : time(entry.expires_at),
    ...(place.can('act') ? [endForm(place, subject, entry)] : []),
  ]);
  const columns = ['Value', 'Effect', 'Note', 'Added', 'Until', ...(place.can('act') ? ['Actions'] : [])];
  return table(columns, rows, 'Entries of lists');
}

function endForm(place: Place, subject: Subject, { _id }: ListEntry): Cell {
  return form(place, { action: `${place.base}/lists/${_id}/end`, submit: 'End', small: true, content: back(subject) });
}

/** Renders the fields that lead back to the page after a form of the lists. */
function back({ kind, value }: Subject): Html {
  return html`${hidden('back_kind', kind)}${hidden('back_value', value)}`;
}

/** Renders the form that adds a subject to a list. */
export function actPart(place: Place, subject: Subject): Html | undefined {
  if (!place.can('act')) return undefined;
  const { kind, value } = subject;
  const options = listEffects.map((effect) => ({ value: effect, label: listEffectWords[effect] }));
  const content = [
    html`${hidden('kind', kind)}${hidden('value', value)}`,
    back(subject),
    field({ type: 'choice', name: 'effect', label: 'Effect', value: 'review', options }),
    field({ name: 'note', label: 'Note (optional)', maxLength: 500 }),
    field({ type: 'date', name: 'expires_at', label: 'Expires on (optional)' }),
  ];
  return html`<div class="acts"><details class="act"><summary>Add to a list…</summary>
<p>Applies to every evaluation with it, of all users, in live and test mode. An earlier entry for the same value is replaced.</p>
${form(place, { action: `${place.base}/lists`, submit: 'Add entry', content })}
</details></div>`;
}
