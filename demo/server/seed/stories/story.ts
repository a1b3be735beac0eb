import type { People } from '../people.js';
import type { Random } from '../random.js';
import type { Shop } from '../shop.js';
import type { Tally } from '../tally.js';
import type { Timeline } from '../timeline.js';

/** What stories are told with. */
export interface Stage {
  readonly random: Random;
  readonly people: People;
  readonly shop: Shop;
  readonly timeline: Timeline;
  readonly tally: Tally;
  /** Has the administrator told of an account that looks shared, as the service does by itself when it runs. */
  reportSharing(user: string): Promise<void>;
}

/** Plans something for the weeks to come. */
export type Story = (stage: Stage) => void;

const HOUR = 1 / 24;

/** A time of that day at which people are awake, evenings most. */
export function someTime(random: Random, day: number): number {
  const hour = random.weighted([
    [8, 5],
    [12, 6],
    [16, 5],
    [19, 12],
    [21, 8],
  ]);
  return Math.floor(day) + (hour + random.between(-1.5, 1.5)) * HOUR;
}
