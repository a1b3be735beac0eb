import type { People } from '../people.js';
import type { Random } from '../random.js';
import type { Shop } from '../shop.js';
import type { Tally } from '../tally.js';
import type { Timeline } from '../timeline.js';

/** The context of the stories. */
export interface Stage {
  readonly random: Random;
  readonly people: People;
  readonly shop: Shop;
  readonly timeline: Timeline;
  readonly tally: Tally;
  /** Notifies the administrator of an account that appears to be shared, as the service does regularly. */
  reportSharing(user: string): Promise<void>;
}

/** Plans the events of the coming weeks. */
export type Story = (stage: Stage) => void;

const HOUR = 1 / 24;

/** Returns a time of that day when people are awake, most often in the evening. */
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
