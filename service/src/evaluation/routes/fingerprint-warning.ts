import { type FingerprintFault, faultOfFingerprint } from '../../linking/rules/fingerprint-fault.js';

const messages: Readonly<Record<FingerprintFault, string>> = {
  opaque: 'is not a fingerprint of the browser package: it only matches exactly the same text',
  placeholder: 'is a placeholder and never matches a device: pass what `getHash` resolves to, after it has resolved',
  unreadable: 'has too few readable parts and never matches a device',
};

/** Warns about a fingerprint that is accepted, and matches little or nothing. */
export function warnAboutFingerprint(
  warn: (path: string, message: string) => void,
  path: string,
  text: string | undefined,
): void {
  const fault = text === undefined ? undefined : faultOfFingerprint(text);
  if (fault) warn(path, messages[fault]);
}
