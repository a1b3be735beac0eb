import type { Channel } from 'whorl/wire';
import { inMinutes, type PageMessages } from './messages.js';

const by: Readonly<Record<Channel, string>> = { email: 'by e-mail', text: 'by text message' };
const to = (channel: Channel | undefined, address: string | undefined) =>
  [channel && by[channel], address && `to ${address}`].filter(Boolean).join(' ');

function wait(seconds = 0): string {
  const { count, unit } = inMinutes(seconds);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export const en: PageMessages = {
  language: 'en',
  titles: {
    ask: 'Is it you?',
    enter: 'Enter the code',
    devices: 'Your devices',
    unreachable: 'We cannot reach you',
    done: 'Thank you',
    disowned: 'Thank you for telling us',
    over: 'This is over',
    gone: 'This link is no longer good',
    failed: 'Something went wrong here',
    busy: 'Too many requests',
  },
  cause(cause, project) {
    if (cause === 'too_many_devices') return `Your account at ${project} is in use on more devices than are allowed.`;
    if (cause === 'several_places') return `Your account at ${project} is in use in several places at once.`;
    if (cause === 'new_place') return `You are using ${project} from a device or a place that we do not know yet.`;
    if (cause === 'unusual') return `Something about this visit to ${project} is unusual.`;
    return `To protect the accounts at ${project}, we check that it is you.`;
  },
  askHint: 'We send you a code of six digits. With it you show that the account is yours.',
  send: (channel, address) => ['Send a code', to(channel, address)].filter(Boolean).join(' '),
  sendAgain: (channel, address) => ['Send a new code', to(channel, address)].filter(Boolean).join(' '),
  sentTo: (address) =>
    address
      ? `We sent a code to ${address}.`
      : 'If the account has an address that we can reach, a code is on its way.',
  codeLabel: 'Code',
  codeHint: 'Six digits, good for ten minutes.',
  triesLeft: (count) => (count === 1 ? 'One try is left.' : `${count} tries are left.`),
  enter: 'Continue',
  anotherCode: 'No code?',
  wait: (seconds) => `Another can be sent in ${seconds} seconds.`,
  noMoreCodes: 'No more codes can be sent here. Go back and try again later.',
  notMe: 'This was not me',
  notMeHint: (project) =>
    `Then nobody gets in with this. If somebody else knows your password for ${project}, change it.`,
  notMeButton: 'It was not me',
  notice(notice, seconds) {
    const sentences = {
      wrong_code: 'This code is wrong.',
      no_code: 'A code has six digits.',
      code_expired: 'This code is too old. Have a new one sent.',
      no_tries: 'This code was tried too often. Have a new one sent.',
      locked: `There were too many wrong codes. Try again in ${wait(seconds)}.`,
      wait: `Another code can be sent in ${wait(seconds)}.`,
      no_more_codes: 'No more codes can be sent here.',
      not_sent: 'The code could not be sent. Try again in a moment, or another way.',
      room_needed: 'Sign a device out first.',
      signed_out: 'The device is signed out.',
    };
    return sentences[notice];
  },
  verified: 'The code was right.',
  roomNeeded: 'Sign out of a device that you no longer need; then this one has room.',
  devicesHint: 'Is there one that is not yours? Sign it out, and change your password.',
  thisDevice: 'this device',
  lastSeen: (when) => `last seen ${when}`,
  address: (address) => `address ${address}`,
  signOut: 'Sign out',
  finish: 'Continue',
  doneText: 'This device is known now. You will not be asked here again for a while.',
  goBack: (project) => `Back to ${project}`,
  closePage: (project) => `You can go back to ${project}.`,
  unreachableText: (project) =>
    `There is neither a phone number nor a mail address to send a code to. Ask ${project} for help.`,
  disownedText: (project) =>
    `Nobody gets in with this. If you use your password elsewhere, or somebody knows it, change it at ${project}.`,
  overText: (project) => `This check was ended, or took too long. Go back to ${project} and try again.`,
  goneText: (project) => `It can be used once, for a few minutes. Go back to ${project} and try again.`,
  failedText: 'Try again in a moment.',
  busyText: 'Wait a moment, and try again.',
};
