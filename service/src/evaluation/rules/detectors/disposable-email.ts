import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import type { Detector } from '../finding.js';

const listed = disposableEmailBlocklistSet();

/** The mail domain, or one above it, is on the list of throw-away domains. */
export const disposableEmail: Detector = ({ request }) => {
  const domain = request.email?.split('@').at(-1)?.trim().toLowerCase() ?? '';
  const labels = domain.split('.');
  const found = labels.map((_, index) => labels.slice(index).join('.')).find((name) => listed.has(name));
  return found === undefined ? undefined : { reason: 'disposable_email', evidence: { domain: found } };
};
