import { html } from 'hono/html';
import type { Settings } from '../../projects/rules/settings.js';
import type { PageMessages } from '../messages/messages.js';
import type { Step, Told } from '../rules/step.js';

export type Html = ReturnType<typeof html>;

/** What is said to whoever has no visit: a link that is used up, something that failed, too many requests. */
export type StrangerStep = 'gone' | 'failed' | 'busy';

/** All that the page is made of. */
export interface ChallengePage {
  readonly messages: PageMessages;
  readonly brand: { readonly name: string; readonly settings: Settings['challenge_page'] };
  /** Before all paths, where the service is not at the root of its address; without a slash at its end. */
  readonly basePath: string;
  readonly step: Step | { readonly name: StrangerStep };
  readonly told?: Told | undefined;
  /** Absent where there is nothing to do. */
  readonly forms?: Forms;
  /** Where the person goes in the end. */
  readonly returnUrl?: string | undefined;
  readonly now: Date;
}

export interface Forms {
  /** The address of the page, without what is done there. */
  readonly action: string;
  /** Shows that a form is from this page (against cross-site request forgery). */
  readonly token: string;
}

/** A form that does one thing. */
export function form({ forms }: ChallengePage, name: string, content: Html): Html | undefined {
  if (!forms) return undefined;
  return html`<form method="post" action="${forms.action}/${name}">
<input type="hidden" name="csrf" value="${forms.token}"/>
${content}
</form>`;
}

/** "This was not me", folded away. */
export function notMe(page: ChallengePage): Html {
  const { messages, brand } = page;
  return html`<details>
<summary>${messages.notMe}</summary>
<p>${messages.notMeHint(brand.name)}</p>
${form(page, 'skip', html`<button type="submit">${messages.notMeButton}</button>`)}
</details>`;
}
