import { html } from 'hono/html';
import type { Mail } from '../messages/mail.js';
import { sharingReport } from './rules/sharing-report.js';

/** The mail to a project's administrator about one user. */
export function sharingMail(projectName: string, externalUser: string, signals: readonly Date[]): Omit<Mail, 'to'> {
  // A line break would end the subject, and begin another header.
  const project = projectName.replace(/\s+/g, ' ');
  const intro = `The account ${externalUser} of ${project} looks shared: on ${sharingReport.days} days or more out of the last ${sharingReport.outOfDays}, it was used on more devices, or at more places at once, than the project allows.`;
  const days = signals.map((at) => at.toISOString().slice(0, 10));
  const close = `The next mail about this account comes in ${sharingReport.outOfDays} days at the earliest.`;
  return {
    subject: `${project}: an account looks shared`,
    text: `${[intro, ...days.map((day) => `- ${day}`), close].join('\n')}\n`,
    html: String(html`<p>${intro}</p>
<ul>${days.map((day) => html`<li>${day}</li>`)}</ul>
<p>${close}</p>
`),
  };
}
