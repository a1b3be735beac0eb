export { chooser, seeded } from '../../../service/dist/testing.js';

/** Draws the number of days until an event that happens `rate` times a day on average. */
export function waiting(random, rate) {
  return rate > 0 ? -Math.log(1 - random()) / rate : Infinity;
}
