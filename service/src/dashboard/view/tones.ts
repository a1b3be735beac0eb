import type { ChallengeStatus, Verdict } from 'whorl/wire';

/** What a colour means, in badges, notices and charts alike. */
export type Tone = 'good' | 'info' | 'warn' | 'severe' | 'bad' | 'neutral';

const verdictTones: Readonly<Record<Verdict, Tone>> = {
  allow: 'good',
  challenge: 'info',
  restrict: 'warn',
  challenge_and_restrict: 'severe',
  deny: 'bad',
};

const challengeTones: Readonly<Record<ChallengeStatus, Tone>> = {
  completed: 'good',
  pending: 'info',
  skipped: 'warn',
  expired: 'neutral',
};

const tones: ReadonlyMap<string, Tone> = new Map(
  Object.entries({
    ...verdictTones,
    ...challengeTones,
    review: 'warn',
    block: 'bad',
    attached: 'good',
    delivered: 'good',
    healthy: 'good',
    active: 'good',
    valid: 'good',
    legitimate: 'good',
    waiting: 'info',
    failing: 'bad',
    failed: 'bad',
    blocked: 'bad',
    suspended: 'bad',
    fraud: 'bad',
  }),
);

/** Returns the tone of a verdict or a status. A word without a meaning of its own is neutral. */
export function toneOf(word: string): Tone {
  return tones.get(word) ?? 'neutral';
}

/** Names of the colours of charts in the style sheet, without the leading dashes. */
const chartColours: Readonly<Record<Tone, string>> = {
  good: 'chart-green',
  info: 'chart-blue',
  warn: 'chart-yellow',
  severe: 'chart-orange',
  bad: 'chart-red',
  neutral: 'chart-grey',
};

/** Returns the colour of a verdict or a status in a chart. */
export function chartColourOf(word: string): string {
  return chartColours[toneOf(word)];
}
