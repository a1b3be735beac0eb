import { describe, expect, test } from 'vitest';
import { WhorlError } from '../../src/errors.js';
import { facets } from '../../src/fingerprint/facets.js';
import { pictureOf } from '../../src/picture/index.js';

const hardware = 'AbC1dEf2GhI3jKl4MnO5pQr6rQ7d';
const software = 'aB-1cD_2eF33gH44iJ55kL66mN77oP88qR99';
const setting = 'sT00uV11wX22yZ33_-A4';
const fingerprint = `w1.dlc156.${hardware}.${software}.${setting}.AAAA`;
const otherScreen = fingerprint.replace('sT00', 'sT01');
const withoutGpu = fingerprint.replace('MnO5', '~~~~');

/**
 * Returns the names of all elements, in order. Throws if the text is not one well-formed element without DTD entities.
 */
function elementsOf(xml: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const rest = xml.replace(
    /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<>]*")*) ?(\/?)>/g,
    (_tag, end, name, attributes, empty) => {
      if (end) {
        if (open.pop() !== name) throw new Error(`</${name}> closes another element.`);
        return '';
      }
      const keys = [...String(attributes).matchAll(/ ([a-zA-Z:-]+)=/g)].map(([, key]) => key);
      if (new Set(keys).size !== keys.length) throw new Error(`An attribute of <${name}> stands twice.`);
      if (open.length === 0 && names.length > 0) throw new Error('There is more than one root.');
      if (!empty) open.push(name);
      names.push(name);
      return '';
    },
  );
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed.`);
  if (/[<>]|&(?!#\d+;)/.test(rest)) throw new Error(`Loose characters: ${rest}`);
  if (/&(?!#\d+;)/.test(xml)) throw new Error('A loose & stands in an attribute.');
  return names;
}

/** Returns the markup of each facet's arc. */
function arcsOf(svg: string): Map<string, string> {
  return new Map([...svg.matchAll(/<g data-facet="(\w+)">.*?<\/g>/g)].map(([markup, name]) => [name ?? '', markup]));
}

function labelOf(svg: string): string | undefined {
  return /aria-label="([^"]*)"/.exec(svg)?.[1];
}

describe('pictureOf', () => {
  test('draws one titled arc per facet, in well-formed XML', () => {
    const svg = pictureOf(fingerprint);
    const elements = elementsOf(svg);
    expect(elements[0]).toBe('svg');
    expect(elements.filter((name) => name === 'g')).toHaveLength(facets.length);
    expect([...arcsOf(svg).keys()]).toEqual(facets.map(({ name }) => name));
    for (const { name, group } of facets) expect(arcsOf(svg).get(name)).toContain(`<title>${name} (${group})</title>`);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('has no styles, scripts or IDs, so that it works under any CSP', () => {
    expect(pictureOf(fingerprint, { compareWith: otherScreen })).not.toMatch(
      / style=| id=|<style|<script| on\w+=|href/,
    );
  });

  test('is deterministic', () => {
    expect(pictureOf(fingerprint, { size: 90 })).toBe(pictureOf(fingerprint, { size: 90 }));
  });

  test.each(['AAAA', '____', 'AAAB', '0999'])('draws the digest %s with finite numbers', (digest) => {
    const svg = pictureOf(`w1.dlc156.${digest.repeat(7)}.${digest.repeat(9)}.${digest.repeat(5)}.AAAA`);
    expect(elementsOf(svg)).toContain('path');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('changes only the arc of the changed facet', () => {
    const before = arcsOf(pictureOf(fingerprint));
    const after = arcsOf(pictureOf(otherScreen));
    expect([...before].filter(([name, markup]) => after.get(name) !== markup).map(([name]) => name)).toEqual([
      'screen',
    ]);
  });

  test('does not show integrity or the version', () => {
    expect(pictureOf(fingerprint.replace('AAAA', 'AAAB').replace('156', '157'))).toBe(pictureOf(fingerprint));
  });

  test('draws an unreadable facet dotted', () => {
    const gpu = arcsOf(pictureOf(withoutGpu)).get('gpu');
    expect(gpu).toContain('gpu (hardware, unreadable)');
    expect(gpu).toContain('stroke-dasharray');
    expect(pictureOf(fingerprint)).not.toContain('stroke-dasharray');
  });

  test('has the requested size, 160 by default', () => {
    expect(pictureOf(fingerprint)).toContain('width="160" height="160"');
    expect(pictureOf(fingerprint, { size: 320 })).toContain('width="320" height="320"');
  });
});

describe('pictureOf with compareWith', () => {
  test('marks the facets that differ by more than colour, and no others', () => {
    const plain = arcsOf(pictureOf(fingerprint));
    const compared = arcsOf(pictureOf(fingerprint, { compareWith: otherScreen }));
    expect([...compared].filter(([name, markup]) => plain.get(name) !== markup).map(([name]) => name)).toEqual([
      'screen',
    ]);
    expect(compared.get('screen')).toContain('screen (setting, changed)');
    expect(compared.get('screen')).toMatch(/stroke="currentColor" stroke-width="5.2"/);
    expect(elementsOf(pictureOf(fingerprint, { compareWith: otherScreen }))).toContain('path');
  });

  test('marks nothing if a facet is unreadable on one side', () => {
    for (const [a, b] of [
      [fingerprint, withoutGpu],
      [withoutGpu, fingerprint],
    ] as const) {
      expect(pictureOf(a, { compareWith: b })).not.toContain(', changed)');
    }
  });
});

describe('the accessible name', () => {
  test('names browser and system', () => {
    expect(labelOf(pictureOf(fingerprint))).toBe('Fingerprint of a Chromium browser on Linux');
    expect(labelOf(pictureOf(fingerprint.replace('dlc', 'mzw')))).toBe('Fingerprint of a WebKit browser');
    expect(labelOf(pictureOf(fingerprint.replace('dlc', 'mwz')))).toBe('Fingerprint of a browser on Windows');
    expect(labelOf(pictureOf(fingerprint.replace('dlc', 'zzz')))).toBe('Fingerprint of a browser');
  });

  test('names the changed facets', () => {
    const travelled = otherScreen.replace('yZ33', 'yZ34');
    expect(labelOf(pictureOf(travelled, { compareWith: fingerprint }))).toBe(
      'Fingerprint of a Chromium browser on Linux; changed: screen, timezone',
    );
    expect(labelOf(pictureOf(fingerprint, { compareWith: fingerprint, title: 'Mine' }))).toBe('Mine; changed: none');
  });

  test('escapes a title, and removes characters that XML forbids', () => {
    const svg = pictureOf(fingerprint, { title: '"><script>alert(1)</script> & \u0000\ud800 👆 \'' });
    expect(elementsOf(svg)).not.toContain('script');
    expect(labelOf(svg)).toBe("&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62; &#38;    👆 '");
  });
});

describe('pictureOf throws', () => {
  const codeOf = (action: () => unknown) => {
    try {
      action();
    } catch (error) {
      return error instanceof WhorlError ? error.code : error;
    }
  };

  test('for a text that is not a fingerprint', () => {
    expect(codeOf(() => pictureOf(''))).toBe('invalid_fingerprint');
    expect(codeOf(() => pictureOf('<svg/>'))).toBe('invalid_fingerprint');
    expect(codeOf(() => pictureOf(fingerprint, { compareWith: '' }))).toBe('invalid_fingerprint');
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('for the size %s', (size) => {
    expect(codeOf(() => pictureOf(fingerprint, { size }))).toBe('invalid_options');
  });
});
