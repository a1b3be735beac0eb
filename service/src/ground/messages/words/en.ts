import type { Messages } from './messages.js';

const time = (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`);

export const en: Messages = {
  language: 'en',
  mail: {
    subject: (project) => `Your code for ${project}`,
    intro: (project) => `Your code for ${project} is:`,
    attempt: {
      intro: 'Attempt that the code is for:',
      device: 'Device',
      place: 'Place',
      network: 'Network',
      time: 'Time',
    },
    expiry: (minutes) => `The code is valid for ${time(minutes)} and can be used once.`,
    secrecy: (project) =>
      `Enter the code only on the page that asked for it. ${project} will never call or write to ask for this code.`,
    notYou: (project) =>
      `If this was not you, someone else may be trying to access your account. Do not share the code, and change your ${project} password.`,
    disown: 'If this was not you, cancel the attempt:',
  },
  text: {
    code: (code, project) => `${code} is your code for ${project}.`,
    attempt: (facts) => `Attempt: ${facts}.`,
    secrecy: 'Do not share it.',
    notYou: 'Not you? Do not enter it.',
    password: 'Change your password.',
  },
};
