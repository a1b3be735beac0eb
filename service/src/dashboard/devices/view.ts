import { html, raw } from 'hono/html';
import { expectedDrift, type FacetName, parse } from 'whorl/fingerprint';
import { pictureOf } from 'whorl/picture';
import type { Device } from 'whorl/wire';
import type { ListedEvaluationRow } from '../evaluations/queries.js';
import { start } from '../position-rules.js';
import {
  code,
  deviceLink,
  deviceState,
  evaluationLink,
  metadataList,
  type Place,
  reasonList,
  userLink,
  verdicts,
  wayOn,
} from '../view/cells.js';
import { type Act, confirmed } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { badge, type Cell, definitionList, emptyState, type Html, section, table, time } from '../view/parts.js';
import { integrityWords, matchWords, percent, spaced } from '../view/words.js';
import type { DevicePageRequest, Sharer, ShownDevice, ShownVariant } from './load.js';
import type { IdentityMergeRow } from './queries.js';
import type { VariantChange } from './rules.js';

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

type ActName = 'detach' | 'block' | 'unblock' | 'trust' | 'distrust';

const acts: Readonly<Record<ActName, Pick<Act, 'name' | 'effect' | 'danger'>>> = {
  detach: {
    name: 'Sign out',
    effect: 'Detaches the device and takes its trust. Its pages sign out, and its next login is challenged.',
  },
  block: {
    name: 'Block',
    effect:
      'Every evaluation of this user from the device is denied, and its pages sign out. Its trust is gone for good.',
    danger: true,
  },
  unblock: { name: 'Unblock', effect: 'Attaches the device again. The trust that it had does not come back.' },
  trust: {
    name: 'Trust for good',
    effect: 'Trusts the device until you take that back, whatever becomes of its trust.',
  },
  distrust: { name: 'Trust no more', effect: 'Takes back that the device is trusted for good.' },
};

/** What can be done to a device as it stands, from its own page or its user's. */
export function deviceActs(
  place: Place,
  { _id, status, trusted, whitelisted }: Pick<Device, '_id' | 'status' | 'trusted' | 'whitelisted'>,
  from: 'user' | 'device',
): Html {
  const canDetach = status === 'attached' || status === 'pending' || (status === 'detached' && trusted);
  const fitting: ActName[] =
    status === 'blocked'
      ? ['unblock']
      : [...(canDetach ? (['detach'] as const) : []), whitelisted ? 'distrust' : 'trust', 'block'];
  const act = (name: ActName) =>
    confirmed(place, { ...acts[name], action: `${place.base}/devices/${_id}/${name}`, fields: { from } });
  return html`<div class="acts">${fitting.map(act)}</div>`;
}

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
