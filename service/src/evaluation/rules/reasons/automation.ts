import { type IntegrityBit, readIntegrity } from 'whorl/fingerprint';
import type { ReasonRule } from '../reason.js';

const automationBits: readonly IntegrityBit[] = [
  'webdriver',
  'headless_user_agent',
  'driver_traces',
  'inspected',
  'unreadable_check',
];

/**
 * Open developer tools set the first bit too, and a page that replaces a browser's function by a broken one sets the
 * second. So neither affects the verdict without another.
 */
const moreThan: readonly IntegrityBit[] = ['inspected', 'unreadable_check'];

/**
 * An automated browser, open developer tools (`inspected` alone) or a check that could not run (`unreadable_check`
 * alone), by the integrity facet. A clean or missing facet proves nothing.
 */
export const automation: ReasonRule<'automation'> = {
  name: 'automation',
  words: {
    title: 'Automated browser',
    explanation: 'The browser shows signs of automation.',
    toVisitor: 'the browser is automated',
    raisedWhen:
      'the integrity facet shows an automated browser: `webdriver`, `headless_user_agent`, `driver_traces`, `inspected` ([developer tools](#developer-tools)), `unreadable_check` ([why](#checks-that-could-not-run))',
  },
  policy: {
    login: ['report', { effect: 'challenge', moreThan }],
    signup: [
      'report',
      { effect: 'restrict', moreThan },
      { effect: 'deny', moreThan, with: ['velocity', 'disposable_email'] },
    ],
    referral: ['report', { effect: 'restrict', moreThan }],
  },
  traits: ['reported_with_test_key'],
  detect: ({ request }) => {
    const integrity = readIntegrity(request.parsed?.integrity ?? 0).filter((bit) => automationBits.includes(bit));
    return integrity.length === 0 ? undefined : { evidence: { integrity } };
  },
};
