import { html } from 'hono/html';
import type { EvaluationRecord, ReasonEvidence } from 'whorl/wire';
import { reasonRules } from '../../evaluation/rules/reasons/table.js';
import { addressCredits, addressFacts } from '../view/address.js';
import { challengeLink, code, deviceLink, metadataList, type Place, userLink, verdicts } from '../view/cells.js';
import { type Act, confirmed } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { type Cell, definitionList, emptyState, field, form, type Html, section, time } from '../view/parts.js';
import { actionWords, matchWords, percent, proofWords, spaced, strengthWords, verdictWords } from '../view/words.js';
import { addressToBlock, maxHardwareDevices } from './blocks.js';
import { decisionPart } from './decision-view.js';
import { evidenceLines } from './evidence-view.js';
import type { ShownEvaluation } from './load.js';
import { riskPart } from './risk-view.js';

/** Renders an evaluation with the evidence for each reason. */
export function evaluationPage(place: Place, shown: ShownEvaluation, error?: string): DashboardPage {
  const { record } = shown;
  const body = html`${section('Why this verdict', decisionPart(record))}
<div class="grid">
${section('Verdict', definitionList(verdictFacts(place, shown)))}
${section('Recognition', definitionList(recognitionFacts(place, record)))}
</div>
${section('Evidence', record.evidence.length > 0 ? record.evidence.map(reasonPart) : emptyState('No reasons.'))}
${record.risk && section('Risk', riskPart(record.risk, record.action))}
${section('IP address', [definitionList(ipFacts(shown)), addressCredits(place, shown.credits)])}
${blockActs(place, shown)}
<div class="grid">
${section('Request', [definitionList(requestFacts(shown)), html`<h3>Metadata</h3>`, metadataList(record.metadata)])}
${section('Outcome', feedback(place, record, error))}
</div>`;
  return {
    title: `Evaluation: ${actionWords(record.action, record.outcome)}`,
    section: 'evaluations',
    body,
    ...(error !== undefined && { status: 422 }),
  };
}

function verdictFacts(place: Place, { record, userId }: ShownEvaluation): (readonly [string, Cell])[] {
  const { outcome, verdict, observed_verdict, alternative_verdict, challenge_id, claimed, consumed_at } = record;
  const claim = consumed_at
    ? html`<span>by a publishable key, consumed ${time(consumed_at)}</span>`
    : 'by a publishable key, not consumed: no effect yet';
  return [
    ['Verdict', html`<span>${verdicts(verdict)} ${verdictWords[verdict]}</span>`],
    ...(observed_verdict
      ? [
          [
            'Verdict without observe mode',
            html`<span>${verdicts(observed_verdict)} ${verdictWords[observed_verdict]}</span>`,
          ] as const,
        ]
      : []),
    ...(alternative_verdict
      ? [
          [
            'Verdict with the other judge_by',
            html`<span>${verdicts(alternative_verdict)} ${verdictWords[alternative_verdict]}</span>`,
          ] as const,
        ]
      : []),
    ...(outcome === 'failed'
      ? [['Attempt', "failed the application's own checks: counted, no other effect"] as const]
      : []),
    ['User', userLink(place, userId, record.user)],
    ['Time', time(record.createdAt)],
    ['Challenge', challenge_id && challengeLink(place, challenge_id, 'Show challenge')],
    ...(claimed ? [['Requested', claim] as const] : consumed_at ? [['Consumed', time(consumed_at)] as const] : []),
    ['ID', code(record.evaluation_id)],
  ];
}

function recognitionFacts(place: Place, record: EvaluationRecord): (readonly [string, Cell])[] {
  const { device_id, fingerprint_id, matched_by, confidence, changed } = record;
  const identity = html`<a href="${place.base}/devices?fingerprint_id=${fingerprint_id}">${code(fingerprint_id)}</a>`;
  return [
    ['Device', device_id && deviceLink(place, device_id, 'Show device')],
    ['fingerprint_id', identity],
    ['Recognised by', `${matched_by}: ${matchWords[matched_by]}`],
    ['Confidence', percent(confidence)],
    ['Changed facets', changed.join(', ')],
    ['Proof of key', proofText(record)],
  ];
}

/** A valid proof does not make a device proven if its key is not one of the device's. */
function proofText({ proof, evidence }: EvaluationRecord): string {
  const isForeign = evidence.some((one) => one.reason === 'unproven_device' && one.evidence.proof === 'foreign');
  if (!proof) return 'none sent';
  return isForeign ? "valid, but with a key that is not one of this device's" : proofWords[proof];
}

/** Renders the blocks that an administrator can add because of this evaluation. */
function blockActs(place: Place, { record, network, hardware }: ShownEvaluation): Html | undefined {
  const { evaluation_id, device_id } = record;
  const path = `${place.base}/evaluations/${evaluation_id}`;
  const address = addressToBlock(record, network);
  const { hardware_id: hardwareId, hardware_devices: count = 0 } = hardware;
  const acts: Act[] = [
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
  if (acts.length === 0) return undefined;
  return section('Block', html`<div class="acts">${acts.map((act) => confirmed(place, act))}</div>`);
}

/** Renders the evidence for a reason. */
export function reasonPart({ reason, strength, evidence }: ReasonEvidence): Html {
  const lines = evidenceLines(evidence).map(({ term, text }) => [term, text] as const);
  return html`<div class="reason"><h3>${spaced(reason)}</h3>
<p>${reasonRules[reason].words.explanation}</p>
${definitionList([...(strength ? [['Strength', `${strength}: ${strengthWords[strength]}`] as const] : []), ...lines])}</div>`;
}

function ipFacts({ record: { ip, address }, network }: ShownEvaluation): (readonly [string, Cell])[] {
  return [
    ['IP address', ip],
    ...(network && network !== ip ? [['Trusted together with', network] as const] : []),
    ...(ip === undefined ? [] : addressFacts(address)),
  ];
}

function requestFacts({ record, userAgent }: ShownEvaluation): (readonly [string, Cell])[] {
  const { email, phone, version, fingerprint, last_fingerprint, methods } = record;
  return [
    ['Email', email],
    ['Phone', phone],
    ["Application's own factors", methods?.join(', ')],
    ['User agent', userAgent],
    ['Package version', version],
    ['Fingerprint', fingerprint ? code(fingerprint) : 'none sent'],
    ['Last fingerprint', last_fingerprint && code(last_fingerprint)],
  ];
}

function feedback(
  place: Place,
  { evaluation_id, feedback: current }: EvaluationRecord,
  error: string | undefined,
): Html {
  if (!place.can('act')) {
    if (!current) return emptyState('No outcome recorded yet.');
    return definitionList([
      ['This evaluation was', current.label],
      ['Note', current.note],
    ]);
  }
  const content = [
    field({
      type: 'choice',
      name: 'label',
      label: 'This evaluation was',
      value: current?.label,
      options: [
        // No label is preselected, so that none is saved by accident.
        ...(current ? [] : [{ value: '', label: 'Choose a label' }]),
        { value: 'fraud', label: 'fraud' },
        { value: 'legitimate', label: 'legitimate' },
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
  return html`${!current && html`<p class="quiet">No outcome recorded yet.</p>`}${form(place, { action, submit: 'Save', content })}`;
}
