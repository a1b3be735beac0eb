import type { Messages } from './messages.js';

const time = (minutes: number) => (minutes === 1 ? '1 Minute' : `${minutes} Minuten`);

export const de: Messages = {
  language: 'de',
  mail: {
    subject: (project) => `Ihr Code für ${project}`,
    intro: (project) => `Ihr Code für ${project} lautet:`,
    expiry: (minutes) => `Er gilt ${time(minutes)} lang und nur einmal.`,
    secrecy: (project) =>
      `Geben Sie ihn dort ein, wo Sie danach gefragt wurden. Niemand von ${project} ruft an oder schreibt, um danach zu fragen.`,
    notYou: (project) =>
      `Wenn Sie das nicht waren, versucht womöglich jemand anderes, in Ihr Konto zu gelangen. Geben Sie den Code nicht weiter, und ändern Sie Ihr Passwort für ${project}.`,
  },
  text: (code, project, minutes) =>
    `${code} ist Ihr Code für ${project}. Er gilt ${time(minutes)} lang. Nicht Sie? Geben Sie ihn nicht weiter.`,
};
