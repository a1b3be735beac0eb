import type { Messages } from './messages.js';

const time = (minutes: number) => (minutes === 1 ? '1 Minute' : `${minutes} Minuten`);

export const de: Messages = {
  language: 'de',
  mail: {
    subject: (project) => `Ihr Code für ${project}`,
    intro: (project) => `Ihr Code für ${project} lautet:`,
    attempt: {
      intro: 'Der Code gilt für diesen Versuch.',
      device: 'Gerät',
      place: 'Ort',
      network: 'Netz',
      time: 'Zeit',
    },
    expiry: (minutes) => `Der Code ist ${time(minutes)} gültig und kann einmal verwendet werden.`,
    secrecy: (project) =>
      `Geben Sie den Code nur auf der Seite ein, die danach gefragt hat. ${project} wird Sie nie anrufen oder anschreiben, um nach diesem Code zu fragen.`,
    notYou: (project) =>
      `Wenn Sie das nicht waren, versucht möglicherweise jemand anderes, auf Ihr Konto zuzugreifen. Geben Sie den Code nicht weiter und ändern Sie Ihr Passwort für ${project}.`,
    disown: 'Brechen Sie den Versuch ab:',
  },
  notices: {
    new_device: {
      subject: (project) => `Neues Gerät in Ihrem Konto bei ${project}`,
      intro: (project) => `Ein neues Gerät kann Ihr Konto bei ${project} ab jetzt benutzen:`,
    },
    contact_changed: {
      subject: (project) => `Kontaktdaten Ihres Kontos bei ${project} geändert`,
      intro: (project) => `Die E-Mail-Adresse oder Telefonnummer Ihres Kontos bei ${project} wurde geändert.`,
    },
    denied_attempt: {
      subject: (project) => `Anmeldung bei ${project} abgelehnt`,
      intro: (project) =>
        `Jemand hat das richtige Passwort Ihres Kontos bei ${project} eingegeben, und die Anmeldung wurde abgelehnt:`,
    },
    former: 'Sie erhalten diese Nachricht, weil dies bis vor Kurzem die Adresse des Kontos war.',
    wasYou: 'Wenn Sie das waren, müssen Sie nichts tun.',
    notYou: 'Wenn Sie das nicht waren, melden Sie es innerhalb von 7 Tagen:',
  },
  text: {
    code: (code, project) => `${code} ist Ihr Code für ${project}.`,
    attempt: (facts) => `Versuch: ${facts}.`,
    secrecy: 'Geben Sie ihn nicht weiter.',
    notYou: 'Nicht Sie? Nicht eingeben.',
    password: 'Ändern Sie Ihr Passwort.',
  },
};
