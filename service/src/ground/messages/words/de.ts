import type { Messages } from './messages.js';

const time = (minutes: number) => (minutes === 1 ? '1 Minute' : `${minutes} Minuten`);

export const de: Messages = {
  language: 'de',
  mail: {
    subject: (project) => `Ihr Code für ${project}`,
    intro: (project) => `Ihr Code für ${project} lautet:`,
    attempt: { intro: 'Versuch, für den der Code gilt:', device: 'Gerät', place: 'Ort', network: 'Netz', time: 'Zeit' },
    expiry: (minutes) => `Der Code ist ${time(minutes)} gültig und kann einmal verwendet werden.`,
    secrecy: (project) =>
      `Geben Sie den Code nur auf der Seite ein, die danach gefragt hat. ${project} wird Sie nie anrufen oder anschreiben, um nach diesem Code zu fragen.`,
    notYou: (project) =>
      `Wenn Sie das nicht waren, versucht möglicherweise jemand anderes, auf Ihr Konto zuzugreifen. Geben Sie den Code nicht weiter und ändern Sie Ihr Passwort für ${project}.`,
    disown: 'Wenn Sie das nicht waren, brechen Sie den Versuch ab:',
  },
  text: {
    code: (code, project) => `${code} ist Ihr Code für ${project}.`,
    attempt: (facts) => `Versuch: ${facts}.`,
    secrecy: 'Geben Sie ihn nicht weiter.',
    notYou: 'Nicht Sie? Nicht eingeben.',
    password: 'Ändern Sie Ihr Passwort.',
  },
};
