import { matches } from './matches.js';

/**
 * Returns the number of physical pixels per CSS pixel. Returns `devicePixelRatio`, unless media queries contradict it
 * by more than 1%: spoofing tools forget those, so their value is returned then. Safari before 16 does not support the
 * query.
 */
export function pixelRatio(): number {
  let ratio = 0;
  for (let step = 16; step > 0.001; step /= 2) if (matches(`min-resolution:${ratio + step}dppx`)) ratio += step;
  return ratio && Math.abs(ratio / devicePixelRatio - 1) > 0.01 ? ratio : devicePixelRatio;
}
