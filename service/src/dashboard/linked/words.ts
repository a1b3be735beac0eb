import type { LinkKind, LinkStrength } from '../../recognition/linked-accounts/rules/links.js';

export const linkWords: Readonly<Record<LinkKind, string>> = {
  key: 'Key of a device',
  email: 'Email address',
  phone: 'Phone number',
  device: 'Device',
  hardware: 'Hardware',
  address: 'IP address',
};

export const strengthWords: Readonly<Record<LinkStrength, { readonly name: string; readonly meaning: string }>> = {
  proven: { name: 'proven', meaning: 'the same private key, which does not leave its browser' },
  contact: { name: 'contact', meaning: 'the same email address or phone number' },
  fingerprint: { name: 'fingerprint', meaning: 'devices that were recognised as one' },
  weak: { name: 'weak', meaning: 'the same hardware or IP address, which strangers also share' },
};
