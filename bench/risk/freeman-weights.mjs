/** Weights of Freeman's model that were fitted to simulated people. Written by `npm run --prefix bench fit-freeman`. */
export const freemanWeights = {
  published: {
    levels: [
      [0.002204, 0.000358, 5e-7],
      [5e-7, 0.006146, 4.84, 0.06332],
    ],
    rest: [1, 31.25],
    features: [1, 1],
    user: 0.5909,
    offset: 0,
  },
  withFingerprint: {
    levels: [
      [0.002253, 0.00006114, 2.5e-7],
      [0.03873, 0.0625, 0.02348, 2.5e-7],
    ],
    rest: [1, 14.55],
    features: [1, 1],
    user: 1.1,
    offset: 0.25,
  },
};
