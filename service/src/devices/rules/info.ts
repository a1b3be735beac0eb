import type { ParsedFingerprint } from 'whorl/fingerprint';
import type { DeviceInfo } from 'whorl/wire';

/** Returns the device description from a fingerprint's descriptor; everything is unknown for text in another format. */
export function deviceInfo(parsed: ParsedFingerprint | undefined): DeviceInfo {
  if (!parsed) return { kind: 'unknown', os: 'unknown', browser: 'unknown', label: 'Unknown device' };
  const { kind, os, browser, browserVersion } = parsed.descriptor;
  const version = browserVersion > 0 ? browserVersion : undefined;
  const program = browser === 'unknown' ? 'Unknown browser' : [browser, version].filter(Boolean).join(' ');
  return {
    kind,
    os,
    browser,
    ...(version === undefined ? {} : { browser_version: version }),
    label: os === 'unknown' ? program : `${program} on ${os}`,
  };
}
