import type { Comparison, Descriptor } from 'whorl/fingerprint';

/** Returns a comparison's result in words. */
export function verdictOf({ same, confidence }: Comparison): string {
  const certainty = same ? confidence : 1 - confidence;
  const adverb =
    certainty >= 0.999
      ? 'Almost certainly'
      : certainty >= 0.95
        ? 'Very probably'
        : certainty >= 0.75
          ? 'Probably'
          : 'Perhaps';
  return `${adverb} ${same ? 'the same browser' : 'another browser or device'}`;
}

/** Returns a probability in per cent that never claims certainty. */
export function percentOf(probability: number): string {
  if (probability > 0.9999) return 'over 99.99%';
  if (probability < 0.0001) return 'under 0.01%';
  return `${(probability * 100).toFixed(2)}%`;
}

/** Returns a duration in milliseconds with few digits. */
export function millisecondsOf(durationMs: number): string {
  return durationMs < 10 ? durationMs.toFixed(1) : durationMs.toFixed(0);
}

const units = [
  ['day', 1],
  ['hour', 24],
  ['minute', 1440],
  ['second', 86_400],
] as const;

/** Returns how long ago something was, in words. */
export function agoOf(days: number): string {
  const [unit, perDay] = units.find(([, perDay]) => days * perDay >= 1) ?? units[3];
  const count = Math.floor(days * perDay);
  // Not "yesterday", which may be two days ago in the calendar.
  return new Intl.RelativeTimeFormat('en', { numeric: count > 0 ? 'always' : 'auto' }).format(-count, unit);
}

/** Returns a fingerprint's descriptor in words. */
export function describe({ kind, os, browser, browserVersion }: Descriptor): string {
  const known = (name: string, otherwise: string) => (name === 'unknown' ? otherwise : name);
  const version = browserVersion > 0 ? ` ${browserVersion}` : '';
  return `${known(browser, 'Unknown browser')}${version} on ${known(os, 'an unknown system')}, ${known(kind, 'unknown kind of device')}`;
}

/** Returns the text of an error for the visitor. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return `${code}: ${error.message}`;
}
