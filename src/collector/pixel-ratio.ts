import { matches } from './matches.js';

/**
 * Physical pixels for one of the page's. What the window says, unless media queries, which spoofers forget, contradict
 * it by more than 1 %: then what they say. Safari before 16 knows no such query.
 */
export function pixelRatio(): number {
  let ratio = 0;
  for (let step = 16; step > 0.001; step /= 2) if (matches(`min-resolution:${ratio + step}dppx`)) ratio += step;
  return ratio && Math.abs(ratio / devicePixelRatio - 1) > 0.01 ? ratio : devicePixelRatio;
}
