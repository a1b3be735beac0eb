/** Probability with which one of the two bounds may be wrong, so that both hold together with 95%. */
const oneSided = 0.025;

/**
 * Returns the exact lower bound of a share (Clopper and Pearson, Biometrika 26, 1934): with a smaller share, so many hits
 * would have at most the given probability.
 */
export function lowerBound(hits: number, count: number, probability = oneSided): number {
  return hits <= 0 ? 0 : betaQuantile(probability, hits, count - hits + 1);
}

/** Returns the exact upper bound of a share: with a larger share, so few hits would have at most the given probability. */
export function upperBound(hits: number, count: number, probability = oneSided): number {
  return hits >= count ? 1 : betaQuantile(1 - probability, hits + 1, count - hits);
}

/** Returns the smallest number of people of which all must be caught to show a share. */
export function peopleToShowCatch(share: number): number {
  return Math.ceil(Math.log(oneSided) / Math.log(share));
}

/** Returns the smallest number of people of which none may match to show a share. */
export function peopleToShowHonest(share: number): number {
  return Math.ceil(Math.log(oneSided) / Math.log1p(-share));
}

/** Returns the most hits among people whose upper bound is at most a share; -1 if even no hit does not show it. */
export function mostHits(count: number, share: number, probability = oneSided): number {
  let [low, high] = [-1, Math.floor(share * count)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (upperBound(middle, count, probability) <= share) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the quantile of a beta distribution, by bisection. */
function betaQuantile(probability: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (betaBelow(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the regularised incomplete beta function. The continued fraction converges fast on its side of the mean. */
function betaBelow(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

const tiny = 1e-300;

/** Evaluates the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const kept = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const part of [even, odd]) {
      d = 1 / kept(1 + part * d);
      c = kept(1 + part / c);
      step = d * c;
      result *= step;
    }
    if (Math.abs(step - 1) < 1e-12) break;
  }
  return result;
}

/** Returns the logarithm of the gamma function by Stirling's series (DLMF 5.11.1), for positive numbers. */
function logGamma(x: number): number {
  if (x < 10) return logGamma(x + 1) - Math.log(x);
  const inverse = 1 / (x * x);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x;
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
