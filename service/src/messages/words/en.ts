import type { Messages } from './messages.js';

const time = (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`);

export const en: Messages = {
  language: 'en',
  mail: {
    subject: (project) => `Your code for ${project}`,
    intro: (project) => `Your code for ${project} is:`,
    expiry: (minutes) => `The code is valid for ${time(minutes)} and can be used once.`,
    secrecy: (project) =>
      `Enter the code only on the page that asked for it. ${project} will never call or write to ask for this code.`,
    notYou: (project) =>
      `If you did not request this code, someone else may be trying to access your account. Do not share the code, and change your ${project} password.`,
  },
  text: (code, project, minutes) =>
    `${code} is your code for ${project}. It is valid for ${time(minutes)}. Do not share it.`,
};
