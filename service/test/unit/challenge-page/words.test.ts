import { describe, expect, test } from 'vitest';
import { pageMessagesFor } from '../../../src/challenge-page/messages/languages.js';
import { causeOf, maskAddress, readableOn } from '../../../src/challenge-page/rules.js';

describe('the language', () => {
  test.each([
    [null, undefined, 'en'],
    [null, 'de-AT,en;q=0.8', 'de'],
    [null, 'en;q=0.5, de;q=0.9', 'de'],
    [null, 'fr, de;q=0.4', 'de'],
    [null, 'fr', 'en'],
    [null, 'de;q=0, en', 'en'],
    [null, ';;q=,,', 'en'],
    ['de', 'en', 'de'],
    ['en', 'de', 'en'],
  ])('setting %s, browser language %s: %s', (language, wishes, expected) => {
    expect(pageMessagesFor(language, wishes).language).toBe(expected);
  });
});

test('the cause is one that a person can act on, and does not reveal signs of forgery', () => {
  expect(causeOf(['new_device', 'limit_exceeded'])).toBe('too_many_devices');
  expect(causeOf(['concurrency', 'new_ip'])).toBe('several_places');
  expect(causeOf(['new_ip', 'automation'])).toBe('new_place');
  for (const reason of ['automation', 'tampering', 'velocity', 'unreadable_fingerprint'] as const) {
    expect(causeOf([reason])).toBe('unusual');
  }
});

test('an address is masked', () => {
  expect(maskAddress('198.51.100.7')).toBe('198.51.x.x');
  expect(maskAddress('2001:db8:7a3b:91c4::1')).toBe('2001:db8:…');
});

describe('text on a colour', () => {
  const luminance = (colour: string) =>
    [1, 3, 5]
      .map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);

  test('is readable on every colour', () => {
    for (let step = 0; step < 4096; step++) {
      const colour = `#${[...step.toString(16).padStart(3, '0')].map((digit) => digit + digit).join('')}`;
      const [light = 0, dark = 0] = [luminance(colour), luminance(readableOn(colour))].sort((a, b) => b - a);
      expect((light + 0.05) / (dark + 0.05), colour).toBeGreaterThanOrEqual(4.5);
    }
  });
});
