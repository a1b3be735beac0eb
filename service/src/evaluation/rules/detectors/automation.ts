import { type IntegrityBit, readIntegrity } from 'whorl/fingerprint';
import type { Detector } from '../finding.js';

const bits: readonly IntegrityBit[] = ['webdriver', 'headless_user_agent', 'driver_traces', 'inspected'];

/**
 * The integrity facet shows a driven browser, or developer tools (`inspected` alone). A clean or absent one shows
 * nothing, either way.
 */
export const automation: Detector = ({ request }) => {
  const integrity = readIntegrity(request.parsed?.integrity ?? 0).filter((bit) => bits.includes(bit));
  return integrity.length === 0 ? undefined : { reason: 'automation', evidence: { integrity } };
};
