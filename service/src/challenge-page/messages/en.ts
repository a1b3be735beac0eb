import { inMinutes, type PageMessages } from './messages.js';

function wait(seconds = 0): string {
  const { count, unit } = inMinutes(seconds);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export const en: PageMessages = {
  language: 'en',
  titles: {
    check: 'Checking your browser',
    confirm: 'Is this you?',
    another: 'Open this page where you started',
    ask: 'Confirm it is you',
    enter: 'Enter the code',
    renew: 'Request a new code',
    noMoreCodes: 'No more codes',
    devices: 'Your devices',
    unreachable: 'We cannot reach you',
    own_factor: 'Confirm where you started',
    done: 'Thank you',
    disown: 'Was this not you?',
    disowned: 'Thank you for telling us',
    notice: 'Was this not you?',
    noticed: 'Thank you for telling us',
    confirmed: 'This was already confirmed',
    ended: 'This attempt has ended',
    expired: 'This verification has expired',
    invalid_link: 'This link is no longer valid',
    failed: 'Something went wrong',
    busy: 'Too many requests',
  },
  cause(cause, project) {
    if (cause === 'too_many_devices') return `Your ${project} account is used on more devices than allowed.`;
    if (cause === 'several_places') return `Your ${project} account is being used in several places at the same time.`;
    if (cause === 'new_place') return `You are using ${project} from a new device or place.`;
    if (cause === 'unusual') return `We noticed something unusual about this visit to ${project}.`;
    return `To protect accounts at ${project}, we need to check that it is you.`;
  },
  checkText: 'If nothing happens, select Continue.',
  confirmText: (project) => `Somebody wants to use your ${project} account. Check whether it is you:`,
  disownText: (project) => `Somebody tried to use your ${project} account:`,
  disownHint:
    'If it was you, close this page. If not, use the button: we cancel this attempt, and its code stops working.',
  noticeText: {
    new_device: (project) => `A new device can use your ${project} account:`,
    contact_changed: (project) => `The email address or phone number of your ${project} account was changed:`,
    denied_attempt: (project) => `Someone entered the right password of your ${project} account, and was refused:`,
  },
  noticeHint: (hasDevice) =>
    `If it was you, close this page. If not, use the button: we ${hasDevice ? 'sign this device out and block it' : 'cancel all open verifications'}, and protect your account until you choose a new password.`,
  noticedText: (hasDevice) =>
    hasDevice
      ? 'The device is signed out and blocked. All open verifications of your account are cancelled.'
      : 'All open verifications of your account are cancelled.',
  noticedNext: (project) =>
    `Choose a new ${project} password now. Until then, your account asks for a code more often. Then check its email address and phone number.`,
  confirmedText: (project) =>
    `Somebody has entered the code of this attempt. If it was not you, change your ${project} password now, and sign out the devices that you do not know.`,
  endedText: 'Its code no longer works. You need not do anything.',
  confirmHint: 'If you opened a link that somebody sent you, this is not you.',
  confirmButton: 'Yes, this is me',
  attempt: { device: 'Device', place: 'Place', network: 'Network', time: 'Time', unknown: 'unknown' },
  anotherText: (project) =>
    `This verification began in another browser. Go back to ${project} in that browser, or log in again here.`,
  anotherWarning: (project) =>
    `Did somebody send you this link? Then they may know your password. We have sent no code. Change your ${project} password.`,
  askHint: 'We will send you a six-digit code. Enter it to confirm that this is your account.',
  send: (by, to) => ['Send code', by, to && `to ${to}`].filter(Boolean).join(' '),
  sendAgain: (by, to) => ['Send new code', by, to && `to ${to}`].filter(Boolean).join(' '),
  sentTo: (address) =>
    address
      ? `We sent a code to ${address}.`
      : 'If this account has an email address or phone number, we have sent a code to it.',
  codeLabel: 'Code',
  codeHint: 'Six digits, valid for ten minutes.',
  triesLeft: (count) => (count === 1 ? 'You have 1 attempt left.' : `You have ${count} attempts left.`),
  enter: 'Continue',
  anotherCode: 'Did not receive a code?',
  wait: (seconds) => `You can request a new code in ${seconds} seconds.`,
  noMoreCodes: 'You cannot request any more codes for this verification. Go back and try again later.',
  notMe: 'This was not me',
  notMeHint: (project) =>
    `We will cancel this verification. If someone else might know your ${project} password, change it.`,
  notMeButton: 'It was not me',
  notice(notice, seconds) {
    const sentences = {
      wrong_code: 'This code is wrong. Check it and try again.',
      no_code: 'Enter the six digits of the code.',
      code_expired: 'This code has expired.',
      no_tries: 'Too many wrong codes. The code that we sent no longer works.',
      locked: `Too many wrong codes. Try again in ${wait(seconds)}.`,
      wait: `You can request a new code in ${wait(seconds)}.`,
      no_more_codes: 'You cannot request any more codes for this verification. Go back and try again later.',
      not_sent: 'We could not send the code. Try again in a moment, or choose another way to receive it.',
      room_needed: 'Sign out a device first.',
      signed_out: 'The device was signed out.',
    };
    return sentences[notice];
  },
  verified: 'Your code is correct.',
  roomNeeded: 'Sign out a device that you no longer use to make room for this one.',
  devicesHint: 'If one of these devices is not yours, sign it out and change your password.',
  thisDevice: 'this device',
  lastSeen: (when) => `last seen ${when}`,
  address: (address) => `IP address ${address}`,
  signOut: 'Sign out',
  finish: 'Continue',
  doneText: 'This device is now verified. You will not be asked for a code here for a while.',
  goBack: (project) => `Back to ${project}`,
  closePage: (project) => `You can go back to ${project}.`,
  unreachableText: (project) =>
    `Your account has no email address or phone number to send a code to. Contact ${project} for help.`,
  ownFactorText: (project) =>
    `We do not send a code for this verification. Go back to ${project} and confirm there that it is you, for example with your passkey.`,
  disownedText: (project) =>
    `We cancelled this verification, so nobody can use it. If someone else might know your ${project} password, change it.`,
  expiredText: (project) => `Go back to ${project} and log in again.`,
  invalidLinkText: (project) =>
    `Links can be used once and expire after a few minutes. Go back to ${project} and log in again.`,
  failedText: 'Try again in a moment.',
  busyText: 'Wait a moment, then try again.',
};
