import { html } from 'hono/html';
import { copyField, foldable, tabs } from '../view/forms.js';
import { type AdminPage, renderNotice } from '../view/layout.js';
import {
  badge,
  definitionList,
  emptyState,
  field,
  folded,
  type Html,
  section,
  table,
  time,
  wholeNumber,
} from '../view/parts.js';
import { verdictWords } from '../view/words.js';

/** Shows each part of the dashboard once, without any data. Its forms lead back to this page. */
export function componentsPage(path: string, now: Date): AdminPage {
  return {
    title: 'Components',
    body: html`<p class="quiet">The parts that all pages are made of. Nothing here has an effect.</p>
${section('Words and colours', colours(now))}
${section('Table', sampleTable(now))}
${filter(path)}
${section('Fields', fields(path))}
${folded('Folded section', 'what it contains', html`<p>Details that few readers need.</p>`)}
${section('Empty list', emptyState('Nothing found. Say here what adds an entry.'))}`,
  };
}

function colours(now: Date): Html {
  const statuses = ['completed', 'pending', 'skipped', 'expired', 'active', 'blocked'];
  const notices = [
    { kind: 'good', text: 'The change was saved.' },
    { kind: 'bad', text: 'Nothing was saved. Say what to correct.' },
  ] as const;
  const verdicts = Object.entries(verdictWords).map(([verdict, words]) => [badge(verdict), words]);
  return html`${table(['Verdict', 'Meaning'], verdicts, 'Verdicts')}
${definitionList([
  ['Statuses', html`<span>${statuses.map((status) => html`${badge(status)} `)}</span>`],
  ['Time', time(now)],
  ['Number', wholeNumber(1234567)],
  ['Nothing', undefined],
])}
${notices.map(renderNotice)}
<p class="notice warn">A condition of the installation that somebody should fix.</p>`;
}

function sampleTable(now: Date): Html {
  const columns = ['Name', 'Status', { title: 'Count', number: true }, 'Last seen'] as const;
  const rows = [
    ['First', badge('active'), 12, time(now)],
    ['Second', badge('suspended'), 3456, time(now)],
    ['Without values', undefined, undefined, undefined],
  ];
  return table(columns, rows, 'Example');
}

function filter(path: string): Html {
  const options = [{ value: '', label: 'any' }, ...Object.keys(verdictWords).map((value) => ({ value, label: value }))];
  return foldable(html`<form class="panel row" method="get" action="${path}" role="search">
${field({ type: 'choice', name: 'verdict', label: 'Verdict', options })}
<button type="submit" class="primary">Filter</button>
</form>`);
}

/** The form uses GET, so that it changes nothing. */
function fields(path: string): Html {
  return html`${tabs('Example', [
    { text: 'Current tab', href: path, isCurrent: true },
    { text: 'Other tab', href: path, isCurrent: false },
  ])}
<form class="stack" method="get" action="${path}">
${field({ name: 'text', label: 'Text', hint: 'What to enter.' })}
${field({ name: 'wrong', label: 'Wrong value', value: 'x', error: 'It must be a number.' })}
${field({ type: 'number', name: 'number', label: 'Number', value: 5, min: 0, max: 10 })}
${field({ type: 'lines', name: 'lines', label: 'Several lines' })}
${field({ type: 'switch', name: 'switch', label: 'Switch', hint: 'What it does when it is on.', value: true })}
<div class="row"><button type="submit" class="primary">Primary</button><button type="submit">Other</button><button type="submit" class="danger">Dangerous</button></div>
</form>
<p>${copyField('https://shop.example', 'Value to copy')}</p>`;
}
