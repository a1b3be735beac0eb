import { html } from 'hono/html';
import type { Mail } from '../../ground/messages/mail.js';
import { sharingReport } from './rules/sharing-report.js';

/** Returns the mail to a project's administrator about one shared account. */
export function sharingMail(projectName: string, externalUser: string, signals: readonly Date[]): Omit<Mail, 'to'> {
  // A line break would end the subject and start another header.
  const project = projectName.replace(/\s+/g, ' ');
  const intro = `The account ${externalUser} of ${project} may be shared. On at least ${sharingReport.days} of the last ${sharingReport.outOfDays} days, it was used on more devices, or in more places at once, than the project allows.`;
  const days = signals.map((at) => at.toISOString().slice(0, 10));
  const close = `You will receive at most one email about this account every ${sharingReport.outOfDays} days.`;
  return {
    subject: `${project}: an account may be shared`,
    text: `${[intro, ...days.map((day) => `- ${day}`), close].join('\n')}\n`,
    html: String(html`<p>${intro}</p>
<ul>${days.map((day) => html`<li>${day}</li>`)}</ul>
<p>${close}</p>
`),
  };
}
