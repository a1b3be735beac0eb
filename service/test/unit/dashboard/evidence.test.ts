import { describe, expect, test } from 'vitest';
import { evidenceLines } from '../../../src/dashboard/evaluations/evidence-view.js';
import { percent } from '../../../src/dashboard/view/words.js';

describe('evidence in words', () => {
  test('describes the evidence of the detectors', () => {
    const lines = evidenceLines({
      matched_by: 'last',
      confidence: 0.98765,
      changed: ['gl', 'surface'],
      variant_known: false,
      proof: 'foreign',
      refused: 'replayed',
      others: { proven: 0, corroborated: 1, fingerprint: 3 },
      limit: { overall: 5, mobile: null },
      integrity: ['webdriver', 'inspected'],
      user_agent: ['family'],
      placeholder: true,
      km: 8917,
      country: 'JP',
      known_countries: ['DE', 'FR'],
      address_kind: 'vpn',
      rules: [
        { name: 'Payouts', effect: 'challenge_and_restrict' },
        { name: 'Night', effect: 'tag', tag: 'odd-hours' },
      ],
      entries: [{ id: '0195e2c4-7c1a-7b3e-9f00-0123456789ab', kind: 'email_domain', effect: 'review' }],
    });
    expect(lines.map(({ term, text }) => `${term}: ${text}`)).toEqual([
      'Recognised by: the fingerprint saved in the browser was seen before',
      'Confidence: 98.76%',
      'Changed facets: WebGL, CSS properties',
      'Trust covers this fingerprint: no',
      'Key: the key does not belong to this device',
      'Why the proof was rejected: already used',
      'Devices allowed: overall: 5, mobile: no limit',
      'Other users on the device: 3 with the same fingerprint (1 corroborated, 0 proven)',
      'Signs in the browser: the browser reports that it is automated; developer tools or a debugger inspected the page',
      'User agent mismatch: a different browser',
      'Placeholder instead of a fingerprint: yes',
      'Distance in km: 8917',
      'Country: Japan',
      'Countries of this user: Germany; France',
      'Kind of network: VPN',
      'Rules: “Payouts”: challenge and restrict; “Night”: tag “odd-hours”',
      'Entries: Email domain: review',
    ]);
  });

  test('shows unknown evidence unchanged', () => {
    const lines = evidenceLines({ some_thing: [1, { deep_er: null }], constructor: '', matched_by: 'toString' });
    expect(lines).toEqual([
      { term: 'Recognised by', text: 'toString' },
      { term: 'some thing', text: '1, deep er: none' },
      { term: 'constructor', text: 'none' },
    ]);
    expect(evidenceLines({ others: 'many' })).toEqual([{ term: 'Other users on the device', text: 'many' }]);
    expect(evidenceLines({})).toEqual([]);
  });

  test('never rounds a confidence up to a certainty', () => {
    expect([1, 0.99999, 0.5, 0].map(percent)).toEqual(['100%', '99.99%', '50%', '0%']);
  });
});
