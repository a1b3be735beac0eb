import { html } from 'hono/html';
import { oneLine } from '../ground/messages/one-line.js';
import type { Attempt } from '../ground/messages/rules/attempt.js';
import { deviceName, placeIn, utcTime } from '../ground/messages/words/attempt.js';
import { ago, type ChallengePage, form, type Html, type StepOf } from './view-parts.js';

/** Renders the form that the script sends with the fingerprint and a proof. Without a script, it is sent by its button. */
export function checkBody(page: ChallengePage, { scope, nonce }: StepOf<'check'>): Html {
  const { messages } = page;
  const content = html`<input type="hidden" name="fingerprint" value=""/>
<input type="hidden" name="proof" value=""/>
<button class="primary" type="submit">${messages.enter}</button>`;
  return html`<p>${messages.checkText}</p>${form(page, 'browser', content, { scope, nonce })}`;
}

/** Renders the question to a visitor whose browser could not be compared, or is elsewhere. */
export function confirmBody(page: ChallengePage, { attempt }: StepOf<'confirm'>): Html {
  const { messages, brand } = page;
  return html`<p>${messages.confirmText(brand.name)}</p>
${attemptList(page, attempt)}
<p>${messages.confirmHint}</p>
<div class="stack">${form(page, 'confirm', html`<button type="submit">${messages.confirmButton}</button>`)}
${form(page, 'skip', html`<button class="primary" type="submit">${messages.notMeButton}</button>`)}</div>`;
}

/** Renders the question to the receiver of a message. */
export function disownBody(page: ChallengePage, { attempt }: StepOf<'disown'>): Html {
  const { messages, brand } = page;
  return html`<p>${messages.disownText(brand.name)}</p>
${attemptList(page, attempt)}
<p>${messages.disownHint}</p>
${form(page, 'skip', html`<button class="primary" type="submit">${messages.notMeButton}</button>`)}`;
}

/** Renders the question to the receiver of a message about a device, a change or a login. */
export function noticeBody(page: ChallengePage, { kind, hasDevice, attempt }: StepOf<'notice'>): Html {
  const { messages, brand } = page;
  return html`<p>${messages.noticeText[kind](brand.name)}</p>
${kind === 'contact_changed' ? html`<p>${ago(page, attempt.at)} (${utcTime(attempt.at)})</p>` : attemptList(page, attempt)}
<p>${messages.noticeHint(hasDevice)}</p>
${form(page, 'disown', html`<button class="primary" type="submit">${messages.notMeButton}</button>`)}`;
}

/** Renders what is known about an attempt. */
export function attemptList({ messages, now }: Pick<ChallengePage, 'messages' | 'now'>, attempt: Attempt): Html {
  const place = placeIn(messages.language, attempt);
  const row = (name: string, value: string) => html`<dt>${name}</dt><dd>${value}</dd>`;
  return html`<dl>${row(messages.attempt.device, deviceName(attempt.device) ?? messages.attempt.unknown)}
${row(messages.attempt.place, place ?? messages.attempt.unknown)}
${attempt.organisation !== undefined && row(messages.attempt.network, oneLine(attempt.organisation, 60))}
${row(messages.attempt.time, `${ago({ messages, now }, attempt.at)} (${utcTime(attempt.at)})`)}</dl>`;
}
