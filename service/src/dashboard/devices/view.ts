import { html, raw } from 'hono/html';
import { expectedDrift, type FacetName, parse } from 'whorl/fingerprint';
import { pictureOf } from 'whorl/picture';
import type { Device } from 'whorl/wire';
import type { ListedEvaluationRow } from '../../evaluation/search/queries.js';
import { start } from '../../ground/db/position-rules.js';
import { addressCell, addressCredits, addressSummary } from '../view/address.js';
import {
  addressLink,
  code,
  deviceLink,
  deviceState,
  evaluationLink,
  evaluationsPath,
  foundCell,
  metadataList,
  type Place,
  pager,
  userLink,
  verdicts,
} from '../view/cells.js';
import { type Act, confirmed } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import { badge, type Cell, definitionList, emptyState, type Html, section, table, time } from '../view/parts.js';
import { actionWords, facetList, facetWords, integrityWords, matchNames, matchWords, percent } from '../view/words.js';
import type { DevicePageRequest, Sharer, ShownDevice, ShownVariant } from './load.js';
import type { IdentityMergeRow } from './queries.js';
import type { VariantChange } from './rules.js';

export interface DevicePage {
  readonly place: Place;
  readonly shown: ShownDevice;
  readonly from: DevicePageRequest;
  /** ID of the fingerprint to show as a picture. Default: the newest. */
  readonly variantId: string | null;
}

/** Renders a device with its history. */
export function devicePage({ place, shown, from, variantId }: DevicePage): DashboardPage {
  const { device, variants, evaluations, sharers } = shown;
  const path = `${place.base}/devices/${device._id}`;
  const pagesOf = (name: keyof DevicePageRequest) =>
    pager({ path, name, next: shown[name].next, isFirst: from[name] === start });
  const index = variants.findIndex(({ id }) => id === (variantId ?? shown.variantId));
  const shownIndex = Math.max(0, index);
  const variant = variants[shownIndex];
  const body = html`<div class="grid">
${section('Device', [deviceFacts(place, shown), deviceActs(place, device, 'device')])}
${section('Fingerprint', variant ? fingerprintPicture(variant, variants[shownIndex + 1]) : emptyState('This fingerprint is no longer stored.'))}
</div>
${section('Fingerprint history', variantsTable(place, shown))}
${section('Evaluations', html`${evaluationsTable(place, evaluations.rows)}${pagesOf('evaluations')}<p><a href="${evaluationsPath(place, { device_id: device._id })}">Filter these evaluations</a></p>`)}
${section('Other users of this browser', html`${sharersTable(place, sharers.rows)}${erasedNote(shown)}${pagesOf('sharers')}`)}
${shown.merges.length > 0 && section('Merged fingerprints', mergesTable(shown.merges))}
${section('Metadata', metadataList(device.metadata))}`;
  return { title: device.info.label, section: 'devices', body };
}

function deviceFacts(place: Place, { device, user, address, credits }: ShownDevice): Html {
  const facts = definitionList([
    ['User', userLink(place, user._id, user.external_id)],
    ['Status', deviceState(device)],
    ['Type', `${device.info.kind}, ${device.info.os}, ${device.info.browser}`],
    ['ID', code(device._id)],
    ['Browser ID', code(device.fingerprint_id)],
    ['First seen', time(device.createdAt)],
    ['Last seen', time(device.last_seen_at)],
    ['Last IP address', addressLink(place, device.last_ip)],
    ['Country and network', addressSummary(address, place)],
    ...(device.detached_at ? [['Signed out', time(device.detached_at)] as const] : []),
  ]);
  return html`${facts}${addressCredits(place, credits)}`;
}

function evaluationsTable(place: Place, evaluations: readonly ListedEvaluationRow[]): Html {
  if (evaluations.length === 0) return emptyState('No evaluations yet. Those from this device are listed here.');
  const rows = evaluations.map((row) => [
    time(row.created_at),
    evaluationLink(place, row.id, actionWords(row.action, row.outcome)),
    verdicts(row.verdict, row.observed_verdict),
    foundCell(place, row),
    addressCell(row.ip, row.address, place),
    html`<span title="${matchWords[row.matched_by]}">${matchNames[row.matched_by]}, ${percent(row.confidence)}</span>`,
    facetList(row.changed),
  ]);
  const columns = ['Time', 'Action', 'Verdict', 'Reasons', 'IP address', 'Recognised by', 'Changed facets'];
  return table(columns, rows, 'Evaluations of the device');
}

function sharersTable(place: Place, sharers: readonly Sharer[]): Html {
  if (sharers.length === 0) return emptyState('No other users have this fingerprint.');
  const rows = sharers.map(({ deviceId, userId, externalUser, status, isTrusted, lastSeenAt }) => [
    userLink(place, userId, externalUser),
    deviceLink(place, deviceId, 'device'),
    html`<span>${badge(status)}${isTrusted && ' trusted'}</span>`,
    time(lastSeenAt),
  ]);
  return html`<p class="quiet">These devices have the same browser ID. Look-alike devices can share one. The reasons of an evaluation show how strong the evidence is.</p>
${table(['User', 'Device', 'Status', 'Last seen'], rows, 'Other users of this browser')}`;
}

function erasedNote({ erasedUsers }: ShownDevice): Html | undefined {
  if (erasedUsers === 0) return undefined;
  return html`<p>${erasedUsers} erased ${erasedUsers === 1 ? 'user is' : 'users are'} still counted.</p>`;
}

function mergesTable(merges: readonly IdentityMergeRow[]): Html {
  const rows = merges.map(({ from_identity, created_at, confidence }) => [
    time(created_at),
    code(from_identity),
    'The saved fingerprint belonged to this identity',
    percent(confidence),
  ]);
  return table(['Time', 'Merged browser ID', 'Reason', 'Confidence'], rows, 'Merged fingerprints');
}

type ActName = 'detach' | 'block' | 'unblock' | 'trust' | 'distrust';

const acts: Readonly<Record<ActName, Pick<Act, 'name' | 'effect' | 'danger'>>> = {
  detach: {
    name: 'Sign out',
    effect: 'Detaches the device, removes its trust and signs it out. The next login is challenged.',
  },
  block: {
    name: 'Block',
    effect: 'Denies every evaluation of this user from this device and signs it out. Its trust is removed permanently.',
    danger: true,
  },
  unblock: { name: 'Unblock', effect: 'Attaches the device again. Its earlier trust is not restored.' },
  trust: {
    name: 'Trust permanently',
    effect: 'Trusts the device until you remove permanent trust, even if its other trust expires.',
  },
  distrust: { name: 'Remove permanent trust', effect: 'The device is no longer permanently trusted.' },
};

/** Renders the actions that apply to a device, for its own page or its user's page. */
export function deviceActs(
  place: Place,
  { _id, status, trusted, whitelisted }: Pick<Device, '_id' | 'status' | 'trusted' | 'whitelisted'>,
  from: 'user' | 'device',
): Html | undefined {
  if (!place.can('act')) return undefined;
  const canDetach = status === 'attached' || status === 'pending' || (status === 'detached' && trusted);
  const available: ActName[] =
    status === 'blocked'
      ? ['unblock']
      : [...(canDetach ? (['detach'] as const) : []), whitelisted ? 'distrust' : 'trust', 'block'];
  const act = (name: ActName) =>
    confirmed(place, { ...acts[name], action: `${place.base}/devices/${_id}/${name}`, fields: { from } });
  return html`<div class="acts">${available.map(act)}</div>`;
}

const pictureSize = 240;

/** Renders a fingerprint as a picture with the changes since the previous one outlined. Other formats are shown as text. */
function fingerprintPicture(variant: ShownVariant, older: ShownVariant | undefined): Html {
  const text = html`<p>${code(shortened(variant.fingerprint))}</p>`;
  if (!parse(variant.fingerprint)) {
    return html`<p>This fingerprint is in your own format. It is matched exactly and has no picture.</p>${text}`;
  }
  const compareWith = older && parse(older.fingerprint) ? older.fingerprint : undefined;
  // Safe: pictureOf throws if the text is not a fingerprint and escapes everything else. It outputs no styles or scripts.
  const picture = raw(pictureOf(variant.fingerprint, { size: pictureSize, compareWith }));
  return html`<div class="picture">${picture}<div>
<p>From the inside out: hardware, software, settings. Each arc is one facet.${compareWith && ' Facets that changed since the previous fingerprint are outlined.'} Dotted facets could not be read.</p>
${text}${changeDetails(variant.change)}</div></div>`;
}

/** Shortens a fingerprint: custom formats can be long. */
function shortened(fingerprint: string): string {
  const maxLength = 300;
  return fingerprint.length > maxLength ? `${fingerprint.slice(0, maxLength)}…` : fingerprint;
}

/** Renders each changed facet with what usually changes it. */
function changeDetails(change: VariantChange | undefined): Html | undefined {
  if (!change || change.changed.length === 0) return undefined;
  return html`<h3>Changed since the previous fingerprint</h3>
${definitionList(change.changed.map(({ name, group }) => [`${facetWords[name]} (${group})`, `usually changes with: ${expectedDrift[name]}`]))}`;
}

/** Renders the fingerprint history of a device, with the changes between fingerprints. */
function variantsTable(place: Place, { device, variants, variantId, hasMoreVariants }: ShownDevice): Html {
  const rows = variants.map((variant, index): Cell[] => [
    time(variant.firstSeenAt),
    time(variant.lastSeenAt),
    changeCell(variant, index === variants.length - 1 && !hasMoreVariants),
    noteOf(variant, variantId),
    html`<a href="${place.base}/devices/${device._id}?variant=${variant.id}">Show</a>`,
  ]);
  return html`${table(['First seen', 'Last seen', 'Changes', 'Note', 'Picture'], rows, 'Fingerprint history of the device')}
${hasMoreVariants && html`<p class="quiet">Older fingerprints are not shown.</p>`}`;
}

function noteOf({ id, isCovered }: ShownVariant, ownId: string): string {
  const notes = [id === ownId && 'in use', isCovered && 'trusted'];
  return notes.filter(Boolean).join(', ');
}

function changeCell({ change }: ShownVariant, isFirst: boolean): Cell {
  if (!change) return isFirst ? 'first fingerprint' : undefined;
  const lines = [
    ...change.descriptor.map(({ from, to }) => `${from} → ${to}`),
    change.changed.length > 0 && groupsOf(change.changed),
    change.lost.length > 0 && `no longer readable: ${facetList(change.lost)}`,
    change.found.length > 0 && `readable again: ${facetList(change.found)}`,
    ...change.integrity.map((bit) => integrityWords[bit]),
  ].filter((line) => line !== false);
  if (lines.length === 0) return 'no relevant change';
  return html`<span>${lines.map((line, index) => html`${index > 0 && html`<br/>`}${line}`)}</span>`;
}

function groupsOf(changed: VariantChange['changed']): Html {
  const groups = [...new Set(changed.map(({ group }) => group))];
  const facet = (name: FacetName, index: number) =>
    html`${index > 0 && ', '}<span title="${`usually changes with: ${expectedDrift[name]}`}">${facetWords[name]}</span>`;
  const line = (group: string, index: number) => {
    const names = changed.filter((one) => one.group === group).map(({ name }) => name);
    return html`${index > 0 && '; '}${group}: ${names.map(facet)}`;
  };
  return html`${groups.map(line)}`;
}
