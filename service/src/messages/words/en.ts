import type { Messages } from './messages.js';

const time = (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`);

export const en: Messages = {
  language: 'en',
  mail: {
    subject: (project) => `Your code for ${project}`,
    intro: (project) => `Your code for ${project} is:`,
    expiry: (minutes) => `It is good for ${time(minutes)}, and only once.`,
    secrecy: (project) =>
      `Enter it where you were asked for it. Nobody from ${project} will call or write to ask you for it.`,
    notYou: (project) =>
      `If this was not you, somebody else may be trying to get into your account. Do not pass the code on, and change your password for ${project}.`,
  },
  text: (code, project, minutes) =>
    `${code} is your code for ${project}. It is good for ${time(minutes)}. Not you? Do not pass it on.`,
};
