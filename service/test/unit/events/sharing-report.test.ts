import { expect, test } from 'vitest';
import { isReportDue, signalsSince } from '../../../src/effects/jobs/rules/sharing-report.js';

const on = (...days: string[]) => days.map((day) => new Date(`2026-03-${day}Z`));

test.each([
  ['three days', on('01T00:00', '03T12:00', '05T23:59'), true],
  ['two days, however many signals', on('01T00:00', '01T01:00', '02T01:00', '02T02:00'), false],
  ['no day', [], false],
])('signals on %s', (_, signals, isDue) => {
  expect(isReportDue(signals)).toBe(isDue);
});

test('signals count for seven days', () => {
  expect(signalsSince(new Date('2026-03-08T12:00:00Z'))).toEqual(new Date('2026-03-01T12:00:00Z'));
});
