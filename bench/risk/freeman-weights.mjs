/** Weights of Freeman's model that were fitted to simulated people. Written by `npm run --prefix bench fit-freeman`. */
export const freemanWeights = {
  published: {
    levels: [
      [0.3091, 0.03604, 0.001338],
      [2.5e-7, 7.692e-7, 1.21, 7.692e-7],
    ],
    rest: [0.933, 0.2991],
    features: [0.5645, 0.3855],
    user: 0.05076,
    offset: -0.4125,
  },
  withFingerprint: {
    levels: [
      [0.05042, 0.01289, 0.0004237],
      [0.3025, 0.25, 0.07947, 2.5e-7],
    ],
    rest: [1, 7.273],
    features: [1, 1],
    user: 0.8264,
    offset: 0,
  },
};
