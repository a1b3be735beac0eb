import { describe, expect, it } from 'vitest';
import { evidenceLines } from '../../../src/dashboard/evaluations/evidence-view.js';
import { percent } from '../../../src/dashboard/view/words.js';

describe('evidence in words', () => {
  it('reads what the detectors tell', () => {
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
    });
    expect(lines.map(({ term, text }) => `${term}: ${text}`)).toEqual([
      'Recognised by: last: the fingerprint that the browser had saved was seen before',
      'Confidence: 98.76%',
      'Facets that changed: gl, surface',
      'Trusted in this fingerprint: no',
      'Key: foreign: it is not a key of this device',
      'Why the proof did not count: replayed: used before',
      'Devices allowed: overall: 5, mobile: no limit',
      'Other users on the device: 3 with the same fingerprint; of these, 1 corroborated, 0 proven',
      'What the browser showed: webdriver: the browser says that it is driven; inspected: the page was inspected while it ran',
      'The user agent names: family: another family of browsers',
      'A placeholder came in place of a fingerprint: yes',
    ]);
  });

  it('shows what it does not know as it is', () => {
    const lines = evidenceLines({ some_thing: [1, { deep_er: null }], constructor: '', matched_by: 'toString' });
    expect(lines).toEqual([
      { term: 'Recognised by', text: 'toString' },
      { term: 'some thing', text: '1, deep er: none' },
      { term: 'constructor', text: 'none' },
    ]);
    expect(evidenceLines({ others: 'many' })).toEqual([{ term: 'Other users on the device', text: 'many' }]);
    expect(evidenceLines({})).toEqual([]);
  });

  it('never rounds a confidence up to a certainty', () => {
    expect([1, 0.99999, 0.5, 0].map(percent)).toEqual(['100%', '99.99%', '50%', '0%']);
  });
});
