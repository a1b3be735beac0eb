import { html } from 'hono/html';
import type { EvaluationRecord, HardwareInfo, ReasonEvidence, Verdict } from 'whorl/wire';
import { reasonRules } from '../../evaluation/rules/reasons/table.js';
import { addressCredits, addressFacts, addressSummary } from '../view/address.js';
import {
  addressLink,
  challengeLink,
  code,
  deviceLink,
  evaluationsPath,
  metadataList,
  type Place,
  reasonTitle,
  subjectLink,
  tagList,
  userLink,
  verdicts,
} from '../view/cells.js';
import { type Act, confirmed } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import {
  badge,
  type Cell,
  definitionList,
  emptyState,
  field,
  folded,
  form,
  type Html,
  section,
  time,
  wholeNumber,
} from '../view/parts.js';
import { actionWords, facetList, matchWords, percent, proofWords, strengthWords, verdictWords } from '../view/words.js';
import { addressToBlock, maxHardwareDevices } from './blocks.js';
import { decisionPart, whyPart } from './decision-view.js';
import { evidenceLines } from './evidence-view.js';
import type { ShownEvaluation } from './load.js';
import { riskPart } from './risk-view.js';

/** Renders an evaluation: verdict, who, where and why first, and everything else folded. */
export function evaluationPage(place: Place, shown: ShownEvaluation, error?: string): DashboardPage {
  const { record } = shown;
  const { risk, evidence } = record;
  const body = html`<div class="grid">
${section('Verdict', leadPart(place, shown))}
${section('Why', whyPart(place, record))}
</div>
${actPart(place, shown, error)}
${folded('What decided it', 'Each reason with its cell of the policy', decisionPart(record))}
${folded('Evidence', counted(evidence.length, 'reason'), evidence.length > 0 ? evidence.map(reasonPart) : emptyState('No reasons.'))}
${risk && folded('Risk', `${risk.score}%`, riskPart(risk, record.action))}
${folded('Recognition', matchWords[record.matched_by], definitionList(recognitionFacts(place, record)))}
${folded('IP address', record.ip ?? 'none sent', [definitionList(ipFacts(place, shown)), addressCredits(place, shown.credits)])}
${folded('Request', counted(Object.keys(record.metadata).length, 'entry of metadata', 'entries of metadata'), [definitionList(requestFacts(shown)), html`<h3>Metadata</h3>`, metadataList(record.metadata)])}`;
  return {
    title: `Evaluation: ${actionWords(record.action, record.outcome)}`,
    section: 'evaluations',
    body,
    ...(error !== undefined && { status: 422 }),
  };
}

/** Renders what was decided, about whom, from where and when. */
function leadPart(place: Place, { record, userId, network, deviceLabel, hardware }: ShownEvaluation): Html {
  const { verdict, observed_verdict: observed, alternative_verdict: other, challenge_id, device_id, feedback } = record;
  const ofVerdict = (one: Verdict) => html`<span>${verdicts(one)} ${verdictWords[one]}</span>`;
  const contacts = [record.email, record.phone].filter(Boolean).join(', ');
  const who = html`<span>${userLink(place, userId, record.user)}${contacts && html` <span class="quiet">${contacts}</span>`}</span>`;
  const where =
    record.ip && html`<span>${addressLink(place, record.ip)} ${addressSummary(record.address, place)}</span>`;
  return html`<p class="verdict">${badge(verdict)} ${verdictWords[verdict]}</p>
${definitionList([
  ...(observed ? [['Without observe mode', ofVerdict(observed)] as const] : []),
  ...(other ? [['Judged the other way', ofVerdict(other)] as const] : []),
  ...(record.outcome === 'failed' ? [['Attempt', failedText] as const] : []),
  ['User', who],
  ['Device', device_id ? deviceLink(place, device_id, deviceLabel) : deviceLabel],
  ...hardwareFact(place, hardware),
  ['Where', where],
  ...(network && network !== record.ip ? [['Trusted together with', network] as const] : []),
  ['Time', time(record.createdAt)],
  ...(challenge_id ? [['Challenge', challengeLink(place, challenge_id, 'Show challenge')] as const] : []),
  ...(record.tags ? [['Tags', tagList(place, record.tags)] as const] : []),
  ...(record.risk ? [['Risk score', `${record.risk.score}%`] as const] : []),
  ...claimFacts(record),
  ...(feedback ? [['Labelled', html`<span>${badge(feedback.label)} ${feedback.note}</span>`] as const] : []),
])}`;
}

function hardwareFact(
  place: Place,
  { hardware_id: id, hardware_devices: count = 0 }: HardwareInfo,
): (readonly [string, Cell])[] {
  return id === undefined ? [] : [['Hardware', subjectLink(place, 'hardware', id, counted(count, 'device'))]];
}

const failedText = "failed the application's own checks: counted, no other effect";

function claimFacts({ claimed, consumed_at: at }: EvaluationRecord): (readonly [string, Cell])[] {
  if (claimed && at) return [['Requested', html`<span>by a publishable key, consumed ${time(at)}</span>`]];
  if (claimed) return [['Requested', 'by a publishable key, not consumed: no effect yet']];
  return at ? [['Consumed', time(at)]] : [];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${wholeNumber(count)} ${count === 1 ? one : many}`;
}

function recognitionFacts(place: Place, record: EvaluationRecord): (readonly [string, Cell])[] {
  const { fingerprint_id, matched_by, confidence, changed } = record;
  const identity = html`<span><a href="${place.base}/devices?fingerprint_id=${fingerprint_id}">${code(fingerprint_id)}</a> · <a href="${evaluationsPath(place, { fingerprint_id })}">evaluations</a></span>`;
  return [
    ['Browser ID', identity],
    ['Recognised by', matchWords[matched_by]],
    ['Confidence', percent(confidence)],
    ['Changed facets', facetList(changed)],
    ['Proof of key', proofText(record)],
  ];
}

/** A valid proof does not make a device proven if its key is not one of the device's. */
function proofText({ proof, evidence }: EvaluationRecord): string {
  const isForeign = evidence.some((one) => one.reason === 'unproven_device' && one.evidence.proof === 'foreign');
  if (!proof) return 'none sent';
  return isForeign ? "valid, but with a key that is not one of this device's" : proofWords[proof];
}

/** Renders what a member can do because of this evaluation. */
function actPart(place: Place, shown: ShownEvaluation, error: string | undefined): Html | undefined {
  if (!place.can('act')) return undefined;
  const blocks = blockActs(place, shown).map((act) => confirmed(place, act));
  return section('Act', html`<div class="acts">${labelAct(place, shown.record, error)}${blocks}</div>`);
}

/** Returns the blocks that the evaluation suggests. */
function blockActs(place: Place, { record, network, hardware }: ShownEvaluation): Act[] {
  const { evaluation_id, device_id } = record;
  const path = `${place.base}/evaluations/${evaluation_id}`;
  const address = addressToBlock(record, network);
  const { hardware_id: hardwareId, hardware_devices: count = 0 } = hardware;
  return [
    ...(address === undefined
      ? []
      : [
          {
            name: 'Block IP address',
            effect: `Adds ${address} to the blocked addresses of the project, in live and test mode: every evaluation from there is denied, of all users.`,
            action: `${path}/block-address`,
            danger: true,
          },
        ]),
    ...(device_id === undefined
      ? []
      : [
          {
            name: 'Block device',
            effect: 'Denies every evaluation of this user from this device, and signs it out.',
            action: `${place.base}/devices/${device_id}/block`,
            danger: true,
          },
        ]),
    ...(hardwareId === undefined
      ? []
      : [
          {
            name: 'Block hardware',
            effect: `Blocks the devices of all users with the same hardware: ${count} now, of which at most ${maxHardwareDevices} are blocked. Computers of the same model have the same hardware, also those of other people.`,
            action: `${path}/block-hardware`,
            danger: true,
          },
        ]),
  ];
}

/** Renders the evidence for a reason. */
export function reasonPart({ reason, strength, evidence }: ReasonEvidence): Html {
  const lines = evidenceLines(evidence).map(({ term, text }) => [term, text] as const);
  return html`<div class="reason"><h3>${reasonTitle(reason)}</h3>
<p>${reasonRules[reason].words.explanation}</p>
${definitionList([...(strength ? [['Strength', strengthWords[strength]] as const] : []), ...lines])}</div>`;
}

function ipFacts(place: Place, { record: { ip, address } }: ShownEvaluation): (readonly [string, Cell])[] {
  return [['IP address', addressLink(place, ip)], ...(ip === undefined ? [] : addressFacts(place, address))];
}

function requestFacts({ record, userAgent }: ShownEvaluation): (readonly [string, Cell])[] {
  const { version, fingerprint, last_fingerprint, methods } = record;
  return [
    ['ID', code(record.evaluation_id)],
    ["Application's own factors", methods?.join(', ')],
    ['User agent', userAgent],
    ['Package version', version],
    ['Fingerprint', fingerprint ? code(fingerprint) : 'none sent'],
    ['Last fingerprint', last_fingerprint && code(last_fingerprint)],
  ];
}

/** Renders the form that labels the evaluation. It is open after an error. */
function labelAct(
  place: Place,
  { evaluation_id, feedback: current }: EvaluationRecord,
  error: string | undefined,
): Html {
  const content = [
    field({
      type: 'choice',
      name: 'label',
      label: 'This evaluation was',
      value: current?.label,
      options: [
        // No label is preselected, so that none is saved by accident.
        ...(current ? [] : [{ value: '', label: 'Choose a label' }]),
        { value: 'fraud', label: 'Fraud' },
        { value: 'legitimate', label: 'Legitimate' },
      ],
    }),
    field({
      type: 'lines',
      name: 'note',
      label: 'Note',
      value: current?.note,
      error,
      hint: 'At most 2,000 characters.',
    }),
  ];
  const action = `${place.base}/evaluations/${evaluation_id}/feedback`;
  return html`<details class="act"${error !== undefined && ' open'}><summary>${current ? 'Change the label' : 'Label as fraud or legitimate'}…</summary>
${form(place, { action, submit: 'Save', content })}
</details>`;
}
