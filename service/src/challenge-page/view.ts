import { html, raw } from 'hono/html';
import { methods } from '../resources/challenges/rules/methods/methods.js';
import { stylesOf } from './assets.js';
import { attemptList, checkBody, confirmBody, disownBody, noticeBody } from './browser-view.js';
import type { ListedDevice, Sending } from './rules.js';
import { ago, type ChallengePage, form, type Html, notMe, type StepOf } from './view-parts.js';

// Templates instead of JSX: see api/openapi/page.ts.

/** Path of the script that counts waiting times down. The page works without it. */
export const countdownPath = '/assets/challenge.js';
/** Path of the script that reads the browser. */
export const checkPath = '/assets/challenge-check.js';

/** Rendered page, with its style sheet for the Content-Security-Policy. */
export interface RenderedPage {
  readonly body: string;
  /** Content of its `<style>` element. */
  readonly styles: string;
}

/** Renders the managed challenge page. */
export function renderChallengePage(page: ChallengePage): RenderedPage {
  const { messages, brand, basePath, shownNotice } = page;
  const styles = stylesOf(brand.settings);
  const { language } = messages;
  const title = titleOf(page);
  const body = html`<html lang="${language}">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="robots" content="noindex"/>
<link rel="icon" href="data:,"/>
<title>${shownNotice && !isGood(shownNotice.notice) ? `${messages.notice(shownNotice.notice, shownNotice.waitSeconds)} ` : ''}${title} – ${brand.name}</title>
<style>${/* Unescaped, since the policy allows it by its hash. Colours are validated. */ raw(styles)}</style>
${scriptsOf(page).map((path) => html`<script src="${basePath}${path}" defer></script>`)}
</head>
<body>
<main class="card">
<header>${brand.settings.logo_url && html`<img src="${brand.settings.logo_url}" alt=""/>`}<span>${brand.name}</span></header>
<h1>${title}</h1>
${shownNotice && html`<p class="notice ${isGood(shownNotice.notice) && 'good'}" id="notice" role="alert">${messages.notice(shownNotice.notice, shownNotice.waitSeconds)}</p>`}
${stepBody(page)}
</main>
</body>
</html>`;
  return { body: `<!doctype html>${body}`, styles };
}

function isGood(notice: string): boolean {
  return notice === 'signed_out';
}

/** Returns the heading. */
export function titleOf({ step, messages }: ChallengePage): string {
  if (step.name !== 'enter' || canEnter(step)) return messages.titles[step.name];
  return step.sending.hasCodesLeft ? messages.titles.renew : messages.titles.noMoreCodes;
}

/** Returns whether the code that was sent can still be entered. */
function canEnter({ triesLeft, isCodeStale }: StepOf<'enter'>): boolean {
  return triesLeft > 0 && !isCodeStale;
}

/** Renders the content below the heading. */
function stepBody(page: ChallengePage): Html {
  const { step, messages, brand } = page;
  switch (step.name) {
    case 'check':
      return checkBody(page, step);
    case 'confirm':
      return confirmBody(page, step);
    case 'another':
      return html`<p>${messages.anotherText(brand.name)}</p><p>${messages.anotherWarning(brand.name)}</p>`;
    case 'ask':
      return askBody(page, step);
    case 'enter':
      return enterBody(page, step);
    case 'devices':
      return devicesBody(page, step);
    case 'unreachable':
      return html`<p>${messages.unreachableText(brand.name)}</p>${backLink(page)}${notMe(page)}`;
    case 'own_factor':
      return html`<p>${messages.ownFactorText(brand.name)}</p>${backLink(page, true)}${notMe(page)}`;
    case 'done':
      return html`<p>${messages.doneText}</p>${backLink(page, true)}`;
    case 'disowned':
      return html`<p>${messages.disownedText(brand.name)}</p>${backLink(page)}`;
    case 'disown':
      return disownBody(page, step);
    case 'notice':
      return noticeBody(page, step);
    case 'noticed':
      return html`<p>${messages.noticedText(step.hasDevice)}</p><p>${messages.noticedNext(brand.name)}</p>`;
    case 'confirmed':
      return html`<p>${messages.confirmedText(brand.name)}</p>`;
    case 'ended':
      return html`<p>${messages.endedText}</p>`;
    case 'expired':
      return html`<p>${messages.expiredText(brand.name)}</p>${backLink(page)}`;
    case 'invalid_link':
      return html`<p>${messages.invalidLinkText(brand.name)}</p>`;
    case 'failed':
      return html`<p>${messages.failedText}</p>`;
    case 'busy':
      return html`<p>${messages.busyText}</p>`;
  }
}

function scriptsOf({ step }: ChallengePage): string[] {
  return step.name === 'check' ? ['/whorl.min.js', checkPath] : [countdownPath];
}

function askBody(page: ChallengePage, { cause, attempt, sending }: StepOf<'ask'>): Html {
  const { messages, brand } = page;
  return html`<p>${messages.cause(cause, brand.name)}</p>
${attempt && attemptList(page, attempt)}
<p>${messages.askHint}</p>
${sendForm(page, sending, false)}
${notMe(page)}`;
}

function enterBody(page: ChallengePage, step: StepOf<'enter'>): Html {
  const { messages, shownNotice } = page;
  const { sentTo, sending, triesLeft } = step;
  const describedBy = ['hint', 'tries', ...(shownNotice ? ['notice'] : [])].join(' ');
  const isWrong = shownNotice?.notice === 'wrong_code' || shownNotice?.notice === 'no_code';
  const entry = html`<label for="code">${messages.codeLabel}</label>
<p class="quiet small" id="hint">${messages.codeHint}</p>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="16" required autofocus
  aria-describedby="${describedBy}" ${isWrong && html`aria-invalid="true"`}/>
<p class="quiet small" id="tries">${messages.triesLeft(triesLeft)}</p>
<button class="primary" type="submit">${messages.enter}</button>`;
  const stale = messages.notice(triesLeft > 0 ? 'code_expired' : 'no_tries', undefined);
  if (!canEnter(step)) {
    return html`${!shownNotice && html`<p class="notice">${stale}</p>`}
${sendForm(page, sending, true)}
${notMe(page)}`;
  }
  return html`<p>${messages.sentTo(sentTo)}</p>
${form(page, 'code', entry)}
<h2>${messages.anotherCode}</h2>
${sendForm(page, sending, true)}
${notMe(page)}`;
}

/** Renders a button per channel. With scripts, it is disabled until another code can be sent. */
function sendForm(
  page: ChallengePage,
  { offers, waitSeconds, hasCodesLeft }: Sending,
  isAgain: boolean,
): Html | undefined {
  const { messages } = page;
  if (!hasCodesLeft) return html`<p>${messages.noMoreCodes}</p>`;
  const [before, after] = messages.wait('|').split('|');
  const waiting = html`<p class="quiet small" data-wait>${before}<span data-seconds>${waitSeconds}</span>${after}</p>`;
  const buttons = offers.map(({ channel, to }) => {
    const by = channel && methods[channel].words[messages.language];
    const text = isAgain ? messages.sendAgain(by, to) : messages.send(by, to);
    const name = channel && html`name="channel" value="${channel}"`;
    return html`<button class="${!isAgain && 'primary'}" type="submit" ${name}>${text}</button>`;
  });
  return form(page, 'send', html`<div class="stack">${waitSeconds > 0 && waiting}${buttons}</div>`);
}

function devicesBody(page: ChallengePage, { cause, devices, isFull }: StepOf<'devices'>): Html {
  const { messages, brand } = page;
  return html`<p>${messages.verified} ${devices.length > 0 && messages.cause(cause, brand.name)}</p>
${devices.length > 0 && html`<p>${isFull ? messages.roomNeeded : messages.devicesHint}</p>`}
${devices.length > 0 && html`<ul>${devices.map((device) => deviceItem(page, device))}</ul>`}
${!isFull && form(page, 'finish', html`<button class="primary" type="submit">${messages.finish}</button>`)}`;
}

function deviceItem(page: ChallengePage, { id, info, address, lastSeenAt, isThis }: ListedDevice): Html {
  const { messages } = page;
  const facts = [
    isThis ? messages.thisDevice : undefined,
    messages.lastSeen(ago(page, lastSeenAt)),
    address && messages.address(address),
  ];
  const button = html`<input type="hidden" name="device" value="${id}"/>
<button type="submit" aria-label="${`${messages.signOut}: ${info.label}`}">${messages.signOut}</button>`;
  return html`<li><div><strong>${info.label}</strong><br/>
<span class="quiet small">${facts.filter(Boolean).join(', ')}</span></div>
${!isThis && form(page, 'kick', button)}</li>`;
}

function backLink({ messages, brand, returnUrl }: ChallengePage, isPrimary = false): Html {
  if (!returnUrl) return html`<p>${messages.closePage(brand.name)}</p>`;
  return html`<a class="button ${isPrimary && 'primary'}" href="${returnUrl}">${messages.goBack(brand.name)}</a>`;
}
