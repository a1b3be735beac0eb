import { html } from 'hono/html';
import { dayMs, hourMs, minuteMs } from '../ground/time.js';
import type { Settings } from '../resources/projects/rules/settings.js';
import type { PageMessages } from './messages/messages.js';
import type { ShownNotice, Step } from './rules.js';

export type Html = ReturnType<typeof html>;

export type StepOf<Name extends Step['name']> = Extract<Step, { readonly name: Name }>;

/** Pages without a visit: an invalid link, an error, or too many requests. */
export type NoVisitStep = 'invalid_link' | 'failed' | 'busy';

/** Data of the page. */
export interface ChallengePage {
  readonly messages: PageMessages;
  readonly brand: { readonly name: string; readonly settings: Settings['challenge_page'] };
  /** Prefix of all paths, without a trailing slash. */
  readonly basePath: string;
  readonly step: Step | { readonly name: NoVisitStep };
  readonly shownNotice?: ShownNotice | undefined;
  /** Absent if the page has no forms. */
  readonly forms?: Forms;
  /** URL that the user returns to. */
  readonly returnUrl?: string | undefined;
  readonly now: Date;
}

export interface Forms {
  /** Path of the page. Each form appends its own name. */
  readonly action: string;
  /** CSRF token. */
  readonly token: string;
}

/** Renders a form. */
export function form(
  { forms }: ChallengePage,
  name: string,
  content: Html,
  { scope, nonce }: { readonly scope?: string; readonly nonce?: string | undefined } = {},
): Html | undefined {
  if (!forms) return undefined;
  return html`<form method="post" action="${forms.action}/${name}"${scope !== undefined && html` data-scope="${scope}"`}${nonce !== undefined && html` data-nonce="${nonce}"`}>
<input type="hidden" name="csrf" value="${forms.token}"/>
${content}
</form>`;
}

/** Renders the collapsed "This was not me" section. */
export function notMe(page: ChallengePage): Html {
  const { messages, brand } = page;
  return html`<details>
<summary>${messages.notMe}</summary>
<p>${messages.notMeHint(brand.name)}</p>
${form(page, 'skip', html`<button type="submit">${messages.notMeButton}</button>`)}
</details>`;
}

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** Returns a relative time, since the user's time zone is unknown. */
export function ago({ messages, now }: Pick<ChallengePage, 'messages' | 'now'>, at: Date): string {
  const passedMs = Math.max(0, now.getTime() - at.getTime());
  const [unit, lengthMs] = units.find(([, lengthMs]) => passedMs >= lengthMs) ?? units[2];
  const count = Math.floor(passedMs / lengthMs);
  // Not "yesterday", which may be two days ago in the calendar.
  const format = new Intl.RelativeTimeFormat(messages.language, { numeric: count > 0 ? 'always' : 'auto' });
  return format.format(-count, unit);
}
