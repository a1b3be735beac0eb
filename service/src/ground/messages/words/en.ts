import type { Messages } from './messages.js';

const time = (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`);

export const en: Messages = {
  language: 'en',
  mail: {
    subject: (project) => `Your code for ${project}`,
    intro: (project) => `Your code for ${project} is:`,
    attempt: {
      intro: 'The code is for this attempt.',
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
    disown: 'Cancel the attempt:',
  },
  notices: {
    new_device: {
      subject: (project) => `New device in your ${project} account`,
      intro: (project) => `A new device can use your ${project} account from now on:`,
    },
    contact_changed: {
      subject: (project) => `Contact details of your ${project} account changed`,
      intro: (project) => `The email address or phone number of your ${project} account was changed.`,
    },
    denied_attempt: {
      subject: (project) => `Sign-in to your ${project} account refused`,
      intro: (project) => `Someone entered the right password of your ${project} account, and the sign-in was refused:`,
    },
    former: 'You receive this message because this was the address of the account until recently.',
    wasYou: 'If this was you, there is nothing to do.',
    notYou: 'If this was not you, tell us within 7 days:',
  },
  text: {
    code: (code, project) => `${code} is your code for ${project}.`,
    attempt: (facts) => `Attempt: ${facts}.`,
    secrecy: 'Do not share it.',
    notYou: 'Not you? Do not enter it.',
    password: 'Change your password.',
  },
};
