// With templates, and not JSX: see api-docs.ts.
import { html, raw } from 'hono/html';
import type { ChallengePage } from './view/parts.js';
import { stepBody, titleOf } from './view/steps.js';
import { stylesOf } from './view/styles.js';

/** The address of the script that counts waiting times down. The page works without it. */
export const countdownPath = '/assets/challenge.js';

/** A page, and what its policy has to know. */
export interface RenderedPage {
  readonly body: string;
  /** What stands in its `<style>`. */
  readonly styles: string;
}

/** The managed challenge page as it is now. */
export function renderChallengePage(page: ChallengePage): RenderedPage {
  const { messages, brand, basePath, told } = page;
  const styles = stylesOf(brand.settings);
  const { language } = messages;
  const title = titleOf(page);
  const body = html`<html lang="${language}">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="robots" content="noindex"/>
<link rel="icon" href="data:,"/>
<title>${told && !isGood(told.notice) ? `${messages.notice(told.notice, told.waitSeconds)} ` : ''}${title} – ${brand.name}</title>
<style>${/* As it is: the policy knows it by its hash. Colours are checked to be colours. */ raw(styles)}</style>
<script src="${basePath}${countdownPath}" defer></script>
</head>
<body>
<main class="card">
<header>${brand.settings.logo_url && html`<img src="${brand.settings.logo_url}" alt=""/>`}<span>${brand.name}</span></header>
<h1>${title}</h1>
${told && html`<p class="notice ${isGood(told.notice) && 'good'}" id="notice" role="alert">${messages.notice(told.notice, told.waitSeconds)}</p>`}
${stepBody(page)}
</main>
</body>
</html>`;
  return { body: `<!doctype html>${body}`, styles };
}

function isGood(notice: string): boolean {
  return notice === 'signed_out';
}
