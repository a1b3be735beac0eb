import { html } from 'hono/html';
import { type EvaluationFilterName, evaluationFilters, isFilterName } from '../../evaluation/search/rules/filters.js';
import type { InputError } from '../../ground/errors.js';
import { reasons } from '../../ground/vocabulary.js';
import { countryName } from '../view/address.js';
import { type Place, reasonTitle } from '../view/cells.js';
import { foldable } from '../view/forms.js';
import { field, type Html } from '../view/parts.js';
import { spaced } from '../view/words.js';

/** Values of the filters by name, as in the URL. */
export type ShownFilter = Readonly<Record<string, string>>;

/** Filters that are always visible, in their order. The others unfold. */
const first: readonly EvaluationFilterName[] = ['verdict', 'reason', 'action', 'user', 'ip'];
const further: readonly EvaluationFilterName[] = [
  'outcome',
  'label',
  'min_score',
  'challenge',
  'country',
  'asn',
  'address_kind',
  'matched_by',
  'rule',
  'device_id',
  'fingerprint_id',
  'hardware_id',
];

const otherTitles: Readonly<Record<string, string>> = { start_date: 'From', end_date: 'To' };

/** Renders the form of the filters, and those that are set, each with a link that removes it. */
export function filterForm(place: Place, shown: ShownFilter, errors: readonly InputError[]): Html {
  const path = `${place.base}/evaluations`;
  const errorOf = (name: string) => errors.find((error) => error.path === name)?.message;
  const isUnfolded = further.some((name) => shown[name] !== undefined);
  const date = (name: 'start_date' | 'end_date') =>
    field({
      type: 'date',
      name,
      label: otherTitles[name] ?? name,
      value: shown[name]?.slice(0, 10),
      error: errorOf(name),
    });
  const form = html`<form class="panel" method="post" action="${path}/filter" role="search">
<input type="hidden" name="csrf" value="${place.formToken}"/>
${shown.user_id !== undefined && html`<input type="hidden" name="user_id" value="${shown.user_id}"/>`}
<div class="filters">${first.map((name) => filterField(name, shown, errorOf(name)))}${date('start_date')}${date('end_date')}</div>
<details class="more"${isUnfolded && ' open'}><summary>More filters</summary>
<div class="filters">${further.map((name) => filterField(name, shown, errorOf(name)))}</div></details>
<button type="submit" class="primary">Filter</button>
</form>`;
  return html`${foldable(form, { isOpen: errors.length > 0 })}${setFilters(path, shown, errors)}`;
}

function filterField(name: EvaluationFilterName, shown: ShownFilter, error: string | undefined): Html {
  const { title, ...fact } = evaluationFilters[name];
  const common = { name, label: title, value: shown[name] ?? '', error: error && `It ${error.replaceAll('`', '')}.` };
  if (!('choices' in fact)) return field({ ...common, maxLength: 300 });
  const options = fact.choices.map((value) => ({ value, label: choiceText(name, value) }));
  return field({ ...common, type: 'choice', options: [{ value: '', label: 'any' }, ...options] });
}

function setFilters(path: string, shown: ShownFilter, errors: readonly InputError[]): Html | undefined {
  const names = Object.keys(shown);
  if (names.length === 0) return undefined;
  const without = (removed: string) => {
    const query = new URLSearchParams(Object.entries(shown).filter(([name]) => name !== removed));
    return query.size > 0 ? `${path}?${query}` : path;
  };
  const chip = (name: string) => {
    const isWrong = errors.some((error) => error.path === name);
    const text = `${titleOf(name)}: ${isWrong ? `${shown[name]} (not valid)` : valueText(name, shown[name] ?? '')}`;
    return html`<li><a href="${without(name)}" title="Remove this filter"><span class="long">${text}</span> <span aria-hidden="true">×</span><span class="unseen">, remove this filter</span></a></li>`;
  };
  return html`<ul class="plain row chips" aria-label="Filters that are set">${names.map(chip)}</ul>`;
}

function titleOf(name: string): string {
  return isFilterName(name) ? evaluationFilters[name].title : (otherTitles[name] ?? name);
}

function valueText(name: string, value: string): string {
  if (name === 'country') return countryName(value.toUpperCase());
  if (name === 'asn') return `AS${value.replace(/^as/i, '')}`;
  return name === 'verdict' || name === 'reason' ? choiceText(name, value) : value;
}

function choiceText(name: string, value: string): string {
  const reason = name === 'reason' ? reasons.find((one) => one === value) : undefined;
  return reason ? reasonTitle(reason) : spaced(value);
}
