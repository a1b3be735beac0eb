const hourSeconds = 3600;
const daySeconds = 86_400;

/** The spans of time that figures are shown for. Each is cut into columns of whole hours, in UTC. */
export const periods = {
  '24h': { title: '24 hours', columns: 24, columnSeconds: hourSeconds },
  '7d': { title: '7 days', columns: 28, columnSeconds: 6 * hourSeconds },
  '30d': { title: '30 days', columns: 30, columnSeconds: daySeconds },
  '90d': { title: '90 days', columns: 90, columnSeconds: daySeconds },
} as const;
export type PeriodName = keyof typeof periods;
export const periodNames = ['24h', '7d', '30d', '90d'] as const satisfies readonly PeriodName[];

/** A span that ends now: when each of its columns begins, the oldest first. The last one is still running. */
export interface Period {
  readonly name: PeriodName;
  readonly columnSeconds: number;
  readonly starts: readonly [Date, ...Date[]];
}

/** The period of a name; of anything else, the shortest. */
export function periodOf(name: string | null, now: Date): Period {
  const known = periodNames.find((one) => one === name) ?? '24h';
  const { columns, columnSeconds } = periods[known];
  const columnMs = columnSeconds * 1000;
  const running = Math.floor(now.getTime() / columnMs) * columnMs;
  const startOf = (column: number) => new Date(running - (columns - 1 - column) * columnMs);
  const others = Array.from({ length: columns - 1 }, (_, at) => startOf(at + 1));
  return { name: known, columnSeconds, starts: [startOf(0), ...others] };
}
