import type { Channel, Reason } from 'whorl/wire';

/** What was noticed, for the visitor. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  new_device: 'this device is new to the account',
  new_ip: 'this address is new to the account',
  unproven_device: 'this device came without its key',
  limit_exceeded: 'the account has too many devices',
  concurrency: 'several devices of the account are in use at different places',
  multiple_accounts: 'this device has been used with other accounts',
  self_referral: 'this device belongs to the one who referred it',
  velocity: 'too many accounts today from here',
  disposable_email: 'the mail address is a throw-away one',
  automation: 'the browser is driven by a program',
  tampering: 'the browser shows signs of spoofing',
  unreadable_fingerprint: 'the browser could not be read',
  blocked: 'the device, the account or the address is blocked',
};

export const channelWords: Readonly<Record<Channel, string>> = { email: 'by mail', text: 'by text message' };
