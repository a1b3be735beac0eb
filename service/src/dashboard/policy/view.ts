import { html } from 'hono/html';
import { type Reason, reasons } from 'whorl/wire';
import { cellInWords } from '../../evaluation/rules/policy.js';
import { reasonRules } from '../../evaluation/rules/reasons/table.js';
import { type Column, columns, type Effect, effects } from '../../ground/vocabulary.js';
import { withCode } from '../../http/pages/page-response.js';
import type { LoggedDifference } from '../../resources/projects/rules/project-settings/log.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import { changedText, differencesSection } from '../settings/view.js';
import { reasonTitle } from '../view/cells.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { badge, type Cell, emptyState, field, folded, form, type Html, hidden, section, table } from '../view/parts.js';
import type { ReasonEffects } from './edit.js';

type Policy = Settings['policy'];

const columnTitles: Readonly<Record<Column, string>> = { login: 'Login', signup: 'Sign-up', referral: 'Referral' };

const effectWords: Readonly<Record<Effect, string>> = {
  off: 'Off: ignore the reason',
  report: 'Report: name the reason, allow the action',
  restrict: 'Restrict: allow the action with fewer permissions',
  challenge: 'Challenge: ask for a code',
  challenge_and_restrict: 'Challenge and restrict: until a code is entered, allow fewer permissions',
  deny: 'Deny: refuse the action',
};

/** Returns the default of a cell. Names in backticks keep their underscores. */
function defaultOf(reason: Reason, column: Column): Html {
  const text = cellInWords(reasonRules[reason].policy[column]);
  return html`<span>${withCode(text.replaceAll(/`[^`]*`|_/g, (part) => (part === '_' ? ' ' : part)))}</span>`;
}

/** Renders the policy: first the cells that the project changed, and everything else folded. */
export function policyPage(frame: WorldFrame, policy: Policy): DashboardPage {
  const changed = reasons.flatMap((reason) =>
    columns.flatMap((column) => {
      const effect = policy[column]?.[reason];
      if (effect === undefined) return [];
      return [
        [nameOf(reason), columnTitles[column], badge(effect), defaultOf(reason, column), changeLink(frame, reason)],
      ];
    }),
  );
  const changes =
    changed.length > 0
      ? table(
          ['Reason', 'Action', 'Effect', 'Default', 'Edit'],
          changed,
          'Cells of the policy that the project changed',
        )
      : emptyState('Nothing. Each reason has its default effect.');
  const all = reasons.map((reason) => [
    nameOf(reason),
    ...columns.map((column) => effectCell(policy, reason, column)),
    changeLink(frame, reason),
  ]);
  const titles = ['Reason', ...columns.map((column) => columnTitles[column]), 'Edit'];
  return {
    section: 'settings',
    title: 'Policy',
    body: html`<p><a href="${frame.base}/settings">All settings</a></p>
<p class="quiet">The effect of each reason on each action. The strictest effect applies. Actions without a column are judged as a login.</p>
${section('Changed in this project', changes)}
${folded('All reasons', `${reasons.length} reasons and their effects`, table(titles, all, 'Policy'))}`,
  };
}

function nameOf(reason: Reason): Html {
  return html`<span title="${reasonRules[reason].words.explanation}">${reasonTitle(reason)}</span>`;
}

function effectCell(policy: Policy, reason: Reason, column: Column): Cell {
  const effect = policy[column]?.[reason];
  return effect === undefined ? defaultOf(reason, column) : badge(effect);
}

function changeLink({ base, can }: WorldFrame, reason: Reason): Cell {
  if (!can('change_settings')) return undefined;
  return html`<a href="${base}/policy/${reason}" aria-label="Change: ${reasonTitle(reason)}">Change</a>`;
}

/** Form of one reason. */
export interface ReasonForm {
  readonly reason: Reason;
  /** Version of the policy that the form was filled with. */
  readonly version: string;
  readonly entered: ReasonEffects;
  /** Differences between the entered and the current values, if somebody else changed the policy. */
  readonly differences?: readonly LoggedDifference[];
}

/** Renders the form for the effects of one reason. */
export function reasonPage(frame: WorldFrame, { reason, version, entered, differences }: ReasonForm): DashboardPage {
  const choice = (column: Column) =>
    field({
      type: 'choice',
      name: column,
      label: columnTitles[column],
      hint: html`Default: ${defaultOf(reason, column)}.`,
      value: entered[column],
      options: [
        { value: '', label: 'Default' },
        ...effects.map((effect) => ({ value: effect, label: effectWords[effect] })),
      ],
    });
  return {
    section: 'settings',
    title: `Policy: ${reasonTitle(reason)}`,
    ...(differences && { status: 409, notice: { kind: 'bad', text: changedText('the policy') } }),
    body: html`<p><a href="${frame.base}/policy">Whole policy</a></p>
${differences && differencesSection(differences)}
<section class="panel">
<p>${reasonRules[reason].words.explanation} <code>${reason}</code></p>
${form(frame, {
  action: `${frame.base}/policy/${reason}`,
  submit: 'Save',
  content: [hidden('version', version), ...columns.map(choice)],
})}
</section>`,
  };
}
