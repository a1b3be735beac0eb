import type { AlertWords, RateWords } from './alert-words.js';
import { week } from './week-de.js';

const rates: RateWords = {
  evaluations: 'Auswertungen',
  challenges: 'Auswertungen mit Challenge',
  denials: 'abgelehnte Auswertungen',
  failures: 'fehlgeschlagene Versuche',
};

const number = (value: number) => value.toLocaleString('de-DE');
const hourFormat = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export const de: AlertWords = {
  language: 'de',
  subject: (project, count) => `${project}: ${count === 1 ? 'ein Hinweis' : `${count} Hinweise`}`,
  intro: (project) => `In ${project} braucht Folgendes Aufmerksamkeit:`,
  link: 'Dashboard:',
  describe(condition) {
    switch (condition.kind) {
      case 'unusual_rate': {
        const { rate, count, usual, hour } = condition;
        return `Ungewöhnlich: ${number(count)} ${rates[rate]} in der Stunde ab ${hourFormat.format(new Date(hour))} UTC. In derselben Stunde früherer Wochen waren es etwa ${number(Math.round(usual))}.`;
      }
      case 'campaign':
        return `Jemand probiert massenhaft gestohlene Passwörter: ${number(condition.evaluations)} Auswertungen der letzten 24 Stunden gehören dazu.`;
      case 'failing_webhook':
        return `Ein Webhook-Endpunkt ${condition.status === 'off' ? 'ist abgeschaltet' : 'schlägt fehl'}: ${condition.url}`;
      case 'failing_rule':
        return `Die Bedingung der Regel „${condition.rule}“ schlägt fehl. Die Regel trifft dann nicht zu.`;
      case 'old_address_data':
        return `Daten über IP-Adressen sind veraltet: ${condition.source}.`;
      case 'no_mail':
        return 'Es ist kein Mailserver eingerichtet, deshalb können keine Codes per E-Mail gesendet werden. Setzen Sie SMTP_URL und MAIL_FROM.';
      case 'waiting_reviews': {
        const { evaluations, areMore } = condition;
        const count = `${areMore ? 'Über ' : ''}${number(evaluations)}`;
        return `${count} ${evaluations === 1 ? 'Auswertung wartet' : 'Auswertungen warten'} auf eine Prüfung.`;
      }
    }
  },
  week,
  test: {
    subject: (project) => `${project}: Test der Hinweise`,
    intro: (project) => `Dies ist ein Test der Hinweise von ${project}.`,
    note: 'Deswegen ist nichts zu tun.',
  },
};
