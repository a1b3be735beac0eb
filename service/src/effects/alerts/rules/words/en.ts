import type { AlertWords, RateWords } from './alert-words.js';
import { week } from './week-en.js';

const rates: RateWords = {
  evaluations: 'evaluations',
  challenges: 'challenged evaluations',
  denials: 'denied evaluations',
  failures: 'failed attempts',
};

const number = (value: number) => value.toLocaleString('en-GB');
const hourFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export const en: AlertWords = {
  language: 'en',
  subject: (project, count) => `${project}: ${count === 1 ? 'something needs' : `${count} things need`} attention`,
  intro: (project) => `This needs attention in ${project}:`,
  link: 'Dashboard:',
  describe(condition) {
    switch (condition.kind) {
      case 'unusual_rate': {
        const { rate, count, usual, hour } = condition;
        return `Unusual: ${number(count)} ${rates[rate]} in the hour from ${hourFormat.format(new Date(hour))} UTC. The same hour of earlier weeks had about ${number(Math.round(usual))}.`;
      }
      case 'campaign':
        return `A campaign of credential stuffing: ${number(condition.evaluations)} evaluations of the last 24 hours belong to it.`;
      case 'failing_webhook':
        return `A webhook endpoint ${condition.status === 'off' ? 'is switched off' : 'fails'}: ${condition.url}`;
      case 'failing_rule':
        return `The condition of the rule “${condition.rule}” fails, so it matches nothing then.`;
      case 'old_address_data':
        return `Data about IP addresses is old: ${condition.source}.`;
      case 'no_mail':
        return 'Email is not configured, so no codes can be sent by email. Set SMTP_URL and MAIL_FROM.';
      case 'waiting_reviews': {
        const { evaluations, areMore } = condition;
        const count = `${areMore ? 'Over ' : ''}${number(evaluations)}`;
        return `${count} ${evaluations === 1 ? 'evaluation waits' : 'evaluations wait'} for a review.`;
      }
    }
  },
  week,
  test: {
    subject: (project) => `${project}: test of alerts`,
    intro: (project) => `This is a test of the alerts of ${project}.`,
    note: 'Nothing needs attention because of it.',
  },
};
