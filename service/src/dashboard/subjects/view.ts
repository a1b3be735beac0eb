import { html } from 'hono/html';
import { type Position, printPosition, start } from '../../ground/db/position-rules.js';
import { chartLibrary, chartsFile } from '../assets.js';
import { addressCredits } from '../view/address.js';
import { evaluationLink, evaluationsPath, foundCell, type Place, userLink, verdicts } from '../view/cells.js';
import { figures } from '../view/figures.js';
import type { DashboardPage } from '../view/layout.js';
import { badge, type Cell, definitionList, type Html, section, table, time, wholeNumber } from '../view/parts.js';
import { chartColourOf } from '../view/tones.js';
import { actionWords, spaced } from '../view/words.js';
import { actPart, entriesPart } from './entries-view.js';
import { factsOf, subjectTitle } from './facts-view.js';
import { maxCounted, type ShownSubject, type SubjectPageRequest } from './load.js';
import { subjectFilter, subjectPath } from './rules.js';
import { devicesPart, usersPart, wherePart } from './who-view.js';

/** Renders what is known about an address, a network, a country, hardware or an email domain, and who used it. */
export function subjectPage(place: Place, shown: ShownSubject, from: SubjectPageRequest): DashboardPage {
  const { subject, summary } = shown;
  const hasFigures = summary.evaluations > 0;
  return {
    title: subjectTitle(subject),
    section: 'evaluations',
    scripts: hasFigures ? [chartLibrary().url, chartsFile.url] : [],
    body: html`<div class="grid">
${section('What it is', [definitionList(factsOf(place, shown)), shown.info && addressCredits(place, shown.credits)])}
${section('Lists', [entriesPart(place, shown), actPart(place, subject)])}
</div>
${section('Verdicts', [scopePart(place, shown, from), hasFigures ? verdictsPart(place, shown) : undefined])}
${usersPart(place, shown, from)}
${devicesPart(place, shown)}
${hasFigures && wherePart(place, shown)}
${hasFigures && section('Newest evaluations', newestPart(place, shown))}`,
  };
}

/** Says which evaluations are counted, and links to the ones that are not. */
function scopePart(place: Place, { subject, summary, next }: ShownSubject, { from }: SubjectPageRequest): Html {
  const { evaluations } = summary;
  const count = html`<strong>${wholeNumber(evaluations)}</strong> ${evaluations === 1 ? 'evaluation' : 'evaluations'}`;
  const limit = subjectFilter(subject)
    ? `at most ${wholeNumber(maxCounted)} are counted at a time, among at most 5,000 evaluations of the project`
    : `at most ${wholeNumber(maxCounted)} evaluations of the project at a time`;
  const older = next && html`<a href="${continuation(place, subject, next)}" rel="next">Search older ones</a>`;
  const range = next
    ? html`${count}, searched back to ${time(next.at)}: ${limit}. ${older}`
    : html`${count}. Everything that is stored was searched${from !== start && ', from there backwards'}.`;
  const rule =
    subject.kind === 'email_domain' &&
    html` Evaluations do not store the domain. Those of users whose stored email address is at the domain, or below it, are counted.`;
  const newest = from !== start && html` <a href="${place.base}${subjectPath(subject)}">Newest</a>`;
  return html`<p>${range}${newest}${rule}</p>`;
}

function continuation({ base }: Place, subject: ShownSubject['subject'], next: Position): string {
  return `${base}${subjectPath(subject)}&${new URLSearchParams({ from: printPosition(next) })}`;
}

function verdictsPart(place: Place, { subject, summary }: ShownSubject): Html {
  const filter = subjectFilter(subject);
  const rows = summary.verdicts.map(({ label: verdict, total }): Cell[] => {
    const count = wholeNumber(total);
    return [
      badge(verdict),
      filter ? html`<a href="${evaluationsPath(place, { ...filter, verdict })}">${count}</a>` : count,
    ];
  });
  const series = summary.verdicts.map((one) => ({
    ...one,
    label: spaced(one.label),
    colour: chartColourOf(one.label),
  }));
  const all = filter && html`<p><a href="${evaluationsPath(place, filter)}">Filter these evaluations</a></p>`;
  return html`${table(['Verdict', { title: 'Evaluations', number: true }], rows, 'Evaluations by verdict')}
${all}${figures('Verdicts over time', summary.period, series)}`;
}

function newestPart(place: Place, { newest }: ShownSubject): Html {
  const rows = newest.map((row) => [
    time(row.created_at),
    evaluationLink(place, row.id, actionWords(row.action, row.outcome)),
    userLink(place, row.user_id, row.external_user),
    verdicts(row.verdict, row.observed_verdict),
    foundCell(place, row),
  ]);
  return table(['Time', 'Action', 'User', 'Verdict', 'Reasons'], rows, 'Newest evaluations');
}
