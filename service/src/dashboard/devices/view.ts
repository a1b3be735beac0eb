import { html } from 'hono/html';
import type { ListedEvaluationRow } from '../evaluations/queries.js';
import { start } from '../position-rules.js';
import { deviceState, metadataList, reasonList, verdicts } from '../view/facts.js';
import type { DashboardPage } from '../view/layout.js';
import { code, deviceLink, evaluationLink, type Place, userLink, wayOn } from '../view/links.js';
import { badge, definitionList, emptyState, type Html, section, table, time } from '../view/parts.js';
import { matchWords, percent, spaced } from '../view/words.js';
import { deviceActs } from './acts-view.js';
import type { DevicePageRequest, Sharer, ShownDevice } from './load-one.js';
import type { IdentityMergeRow } from './queries.js';
import { fingerprintPicture, variantsTable } from './variants-view.js';

export interface DevicePage {
  readonly place: Place;
  readonly shown: ShownDevice;
  readonly from: DevicePageRequest;
  /** The fingerprint to show as a picture. Default: the newest. */
  readonly variantId: string | null;
}

/** One device with all that is known of it. */
export function devicePage({ place, shown, from, variantId }: DevicePage): DashboardPage {
  const { device, variants, evaluations, sharers } = shown;
  const path = `${place.base}/devices/${device._id}`;
  const way = (name: keyof DevicePageRequest) =>
    wayOn({ path, name, next: shown[name].next, isFirst: from[name] === start });
  const wanted = variants.findIndex(({ id }) => id === (variantId ?? shown.variantId));
  const at = Math.max(0, wanted);
  const variant = variants[at];
  const body = html`<div class="grid">
${section('Device', [deviceFacts(place, shown), deviceActs(place, device, 'device')])}
${section('Fingerprint', variant ? fingerprintPicture(variant, variants[at + 1]) : emptyState('It is not kept any more.'))}
</div>
${section('Fingerprints over time', variantsTable(place, shown))}
${section('Evaluations', html`${evaluationsTable(place, evaluations.rows)}${way('evaluations')}`)}
${section('Other users of this browser', html`${sharersTable(place, sharers.rows)}${erased(shown)}${way('sharers')}`)}
${shown.merges.length > 0 && section('Merges', mergesTable(shown.merges))}
${section('Metadata', metadataList(device.metadata))}`;
  return { title: device.info.label, section: 'devices', body };
}

function deviceFacts(place: Place, { device, user }: ShownDevice): Html {
  return definitionList([
    ['User', userLink(place, user._id, user.external_id)],
    ['State', deviceState(device)],
    ['Kind', `${device.info.kind}, ${device.info.os}, ${device.info.browser}`],
    ['Id', code(device._id)],
    ['fingerprint_id', code(device.fingerprint_id)],
    ['First seen', time(device.createdAt)],
    ['Last seen', time(device.last_seen_at)],
    ['Last address', device.last_ip],
    ...(device.detached_at ? [['Signed out', time(device.detached_at)] as const] : []),
  ]);
}

function evaluationsTable(place: Place, evaluations: readonly ListedEvaluationRow[]): Html {
  if (evaluations.length === 0) return emptyState('No evaluations.');
  const rows = evaluations.map((row) => [
    time(row.created_at),
    evaluationLink(place, row.id, spaced(row.action)),
    verdicts(row.verdict, row.observed_verdict),
    reasonList(row.reasons),
    html`<span title="${matchWords[row.matched_by]}">${row.matched_by}, ${percent(row.confidence)}</span>`,
    row.changed.join(', '),
  ]);
  const columns = ['When', 'Action', 'Verdict', 'Reasons', 'Recognised by', 'Changed'];
  return table(columns, rows, 'Evaluations of the device');
}

function sharersTable(place: Place, sharers: readonly Sharer[]): Html {
  if (sharers.length === 0) return emptyState('No other user was seen with this fingerprint.');
  const rows = sharers.map(({ deviceId, userId, externalUser, status, isTrusted, lastSeenAt }) => [
    userLink(place, userId, externalUser),
    deviceLink(place, deviceId, 'device'),
    html`<span>${badge(status)}${isTrusted && ' trusted'}</span>`,
    time(lastSeenAt),
  ]);
  return html`<p class="quiet">Their devices have the same fingerprint_id. Look-alike devices share one too: an evaluation's reasons say how strong the evidence is.</p>
${table(['User', 'Device', 'State', 'Last seen'], rows, 'Other users of this browser')}`;
}

function erased({ erasedUsers }: ShownDevice): Html | undefined {
  if (erasedUsers === 0) return undefined;
  return html`<p>${erasedUsers} ${erasedUsers === 1 ? 'user' : 'users'} of it ${erasedUsers === 1 ? 'was' : 'were'} erased, and still counted.</p>`;
}

function mergesTable(merges: readonly IdentityMergeRow[]): Html {
  const rows = merges.map(({ from_identity, created_at, confidence }) => [
    time(created_at),
    code(from_identity),
    'came with a saved fingerprint that was known as this one',
    percent(confidence),
  ]);
  return table(['When', 'fingerprint_id that became this one', 'Why', 'Confidence'], rows, 'Merges');
}
