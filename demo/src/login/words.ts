import type { Channel, Reason } from 'whorl/wire';

/** The reasons in words, for the visitor. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  new_device: 'this device is new to the account',
  new_ip: 'this address is new to the account',
  unproven_device: 'this device did not prove its key',
  impossible_travel: 'nobody could have travelled here since the last visit',
  new_country: 'this country is new to the account',
  anonymous_network: 'the network hides where you are',
  limit_exceeded: 'the account has too many devices',
  concurrency: 'several devices of the account are in use in different places',
  multiple_accounts: 'this device has been used with other accounts',
  self_referral: 'this device belongs to the referrer',
  velocity: 'too many accounts from here today',
  password_guessing: 'too many wrong passwords for this account today',
  credential_stuffing: 'many logins with stolen passwords are being tried',
  disposable_email: 'the email address is disposable',
  automation: 'the browser is automated',
  declared_agent: 'an agent is acting for you',
  tampering: 'the browser shows signs of spoofing',
  unreadable_fingerprint: 'the browser could not be read',
  high_risk: 'the login is unusual for the account',
  blocked: 'the device, the account or the address is blocked',
};

export const channelWords: Readonly<Record<Channel, string>> = { email: 'by email', text: 'by text message' };
