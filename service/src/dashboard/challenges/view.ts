import { html } from 'hono/html';
import { codeLimits } from '../../challenges/rules/codes.js';
import { deviceState } from '../view/facts.js';
import type { DashboardPage } from '../view/layout.js';
import { code, deviceLink, evaluationLink, type Place, userLink } from '../view/links.js';
import { badge, type Cell, definitionList, type Html, section, time } from '../view/parts.js';
import { reasonWords, spaced } from '../view/words.js';
import type { ShownChallenge } from './load.js';

/** One challenge. The code is never shown, nor is anything made from it. */
export function challengePage(place: Place, shown: ShownChallenge): DashboardPage {
  const { challenge } = shown;
  const body = html`<div class="grid">
${section('Challenge', definitionList(facts(place, shown)))}
${section('Code', definitionList(codeFacts(shown)))}
</div>
<div class="grid">
${section('Reasons', definitionList(challenge.reasons.map((reason) => [spaced(reason), reasonWords[reason]])))}
${section('Times', definitionList(times(shown)))}
</div>
${section('Evaluations that led here', evaluations(place, shown))}`;
  return { title: `Challenge: ${spaced(challenge.action)}`, section: 'challenges', body };
}

function facts(place: Place, { challenge, user, device }: ShownChallenge): (readonly [string, Cell])[] {
  return [
    ['Status', badge(challenge.status)],
    ['User', userLink(place, user?._id, user?.external_id ?? challenge.external_user)],
    ['Device', device && html`<span>${deviceLink(place, device._id, device.info.label)} ${deviceState(device)}</span>`],
    ['Address', challenge.ip],
    ['Id', code(challenge.id)],
  ];
}

function codeFacts({ challenge, channels, user }: ShownChallenge): (readonly [string, Cell])[] {
  return [
    ['Could be sent by', channels.length > 0 ? channels.join(', ') : 'nothing: the user has no address'],
    ['Mail', user?.email],
    ['Phone', user?.phone],
    ['Sent last by', challenge.code_channel],
    ['Codes sent', `${challenge.sends} of ${codeLimits.sendsPerChallenge}`],
    ['Tries of the last code', `${challenge.code_tries} of ${codeLimits.triesPerCode}`],
  ];
}

function times({ challenge }: ShownChallenge): (readonly [string, Cell])[] {
  const moment = (at: Date | null) => at && time(at);
  return [
    ['Made', time(challenge.created_at)],
    ['Seen by the user', moment(challenge.opened_at)],
    ['Code sent', moment(challenge.sent_at)],
    ['Code good until', moment(challenge.code_expires_at)],
    ['Code verified', moment(challenge.verified_at)],
    ['Completed', moment(challenge.completed_at)],
    ['Expires', time(challenge.expires_at)],
  ];
}

function evaluations(place: Place, { evaluations: all }: ShownChallenge): Html {
  if (all.length === 0) return html`<p class="quiet">None is on record, as with a challenge of an attachment.</p>`;
  return html`<ul>${all.map(({ id, created_at }) => html`<li>${evaluationLink(place, id, 'Evaluation')} of ${time(created_at)}</li>`)}</ul>`;
}
