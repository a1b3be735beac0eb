/**
 * The model of Freeman, Jain, Dürmuth, Biggio and Giacinto (Who Are You?, NDSS 2016), equation 7 without attack data:
 *
 *     score(x, u) = Π p(x_k) / p(x_k | u) · p(u | attack) / p(u)
 *
 * over the features address and user agent, where attackers choose every user alike, p(u | attack) = 1 / users, and
 * p(u) is the user's share of logins. Each feature has levels, from the value itself to the coarsest one. Own
 * implementation from the paper; the two ways of backing off are below. Weights and levels as in Wiefling et al.
 */
const address = {
  name: 'address',
  levels: [
    { weight: 0.6, of: ({ place }) => place.address },
    { weight: 0.3, of: ({ place }) => place.asn },
    { weight: 0.1, of: ({ place }) => place.country },
  ],
};
const agentWeights = [0.5386653840551359, 0.2680451498625666, 0.18818295100109536, 0.0051065150812021525];
const published = [
  address,
  {
    name: 'user agent',
    levels: [
      { weight: agentWeights[0], of: ({ shown }) => shown.userAgent },
      { weight: agentWeights[1], of: ({ shown }) => shown.browserVersion },
      { weight: agentWeights[2], of: ({ shown }) => shown.os },
      { weight: agentWeights[3], of: ({ shown }) => shown.kind },
    ],
  },
];
/** Not published: the browser's fingerprint in place of the user agent, with the weights of the user agent's levels. */
const withFingerprint = [
  address,
  {
    name: 'fingerprint',
    levels: [
      { weight: agentWeights[0], of: ({ shown }) => shown.fingerprint },
      { weight: agentWeights[1], of: ({ shown }) => shown.recognisable },
      { weight: agentWeights[2], of: ({ shown }) => shown.hardware },
      { weight: agentWeights[3], of: ({ shown }) => shown.descriptor },
    ],
  },
];
const featureSets = { published, withFingerprint };

class Counts {
  total = 0;

  constructor(features) {
    this.features = features;
    this.maps = features.map(({ levels }) => levels.map(() => new Map()));
    this.pairs = features.map(() => new Set());
    this.coarser = features.map(() => new Map());
  }

  add(login) {
    this.total++;
    this.features.forEach(({ levels }, feature) => {
      const finest = levels[0].of(login);
      levels.forEach(({ of }, level) => {
        const map = this.maps[feature][level];
        const value = of(login);
        map.set(value, (map.get(value) ?? 0) + 1);
        const pair = `${level} ${value} ${finest}`;
        if (level === 0 || this.pairs[feature].has(pair)) return;
        this.pairs[feature].add(pair);
        this.coarser[feature].set(finest, (this.coarser[feature].get(finest) ?? 0) + 1);
      });
    });
  }

  count(feature, level, value) {
    return this.maps[feature][level].get(value) ?? 0;
  }

  /** The number of values not seen so far: estimated by the number of values on the coarser levels, and one more. */
  unseen(feature, level) {
    return 1 + this.maps[feature].slice(level + 1).reduce((sum, map) => sum + map.size, 0);
  }

  /** The same among the logins with a value of the finest level. */
  unseenWith(feature, value) {
    return 1 + (this.coarser[feature].get(value) ?? 0);
  }
}

/** Smoothed probability: seen values give up a part of their share to `unseen` values that were not seen yet. */
export function smoothed(count, total, unseen) {
  return count > 0 ? (count / total) * (1 - unseen / (total + unseen)) : 1 / (total + unseen);
}

/**
 * Returns how much likelier than for anybody a login's value is for the user on each level, 0 for a new value, and the
 * smoothed probability of a value that is new on every level.
 */
function partsOf(own, all, feature, login) {
  const ratios = all.features[feature].levels.map(({ of }, level) => {
    const value = of(login);
    const seen = own.count(feature, level, value);
    if (seen === 0) return 0;
    const general = smoothed(all.count(feature, level, value), all.total, all.unseen(feature, level));
    return smoothed(seen, own.total, own.unseen(feature, level)) / general;
  });
  return { ratios, rest: 1 / (own.total + own.unseen(feature, 0)) };
}

/**
 * `interpolated`: linear interpolation as in the paper, section on smoothing. p(x | u) = Σ weight · p(x | level) ·
 * p(level | u), so that a known network of the user makes a new address of it likelier. What is new on every level
 * has the smoothed probability of a new value for this user.
 */
function interpolatedRatio(own, all, feature, login) {
  const { ratios, rest } = partsOf(own, all, feature, login);
  return 1 / (ratios.reduce((sum, ratio, level) => sum + all.features[feature].levels[level].weight * ratio, 0) + rest);
}

/**
 * `summed`: as the authors of the later studies describe their implementation: the weighted sum of the shares of every
 * level, the user's without smoothing. If nothing is known, the user's probability is a quarter of the general one.
 *
 * Their share of the finest level is p(x) · p(x | x), and both are smoothed, the second among the logins with x alone.
 */
function summedRatio(own, all, feature, login) {
  const { levels } = all.features[feature];
  let ofUser = 0;
  let general = 0;
  levels.forEach(({ weight, of }, level) => {
    const value = of(login);
    const count = all.count(feature, level, value);
    ofUser += (weight * own.count(feature, level, value)) / own.total;
    general += weight * (level === 0 ? finestShare(all, feature, value) : count / all.total);
  });
  return ofUser === 0 ? 4 : general / ofUser;
}

function finestShare(all, feature, value) {
  const count = all.count(feature, 0, value);
  return smoothed(count, all.total, all.unseen(feature, 0)) * smoothed(count, count, all.unseenWith(feature, value));
}

const ratios = { interpolated: interpolatedRatio, summed: summedRatio };

/** Returns the logarithm of the product in which every level, feature and the user have weights. */
export function weightedScore({ parts, user }, { levels, rest, features, user: userWeight }) {
  return parts.reduce((sum, { ratios: found, rest: unseen }, feature) => {
    const known = found.reduce((total, ratio, level) => total + levels[feature][level] * ratio, 0);
    return sum - features[feature] * Math.log(known + rest[feature] * unseen);
  }, userWeight * user);
}

/**
 * Creates the model. Scores are logarithms, which keep the order.
 *
 * @param {object} [options]
 * @param {string} [options.smoothing]
 * @param {boolean} [options.byUser] Whether rare users are riskier, as published: attackers choose every user alike. Without, the
 * term p(u | attack) / p(u) is left out.
 * @param {string} [options.features]
 * @param {typeof import('./freeman-weights.mjs').freemanWeights.published} [options.fitted] Weights of `freeman-weights.mjs` in place of the published ones.
 */
export function createFreeman({
  smoothing = 'interpolated',
  byUser = true,
  features: named = 'published',
  fitted,
} = {}) {
  const ratio = ratios[smoothing];
  const features = featureSets[named];
  const all = new Counts(features);
  const users = new Map();
  const logOfUser = (own) => Math.log(all.total / own.total / users.size);
  /** Returns what the score of a login with weights consists of: the parts of each feature, and the logarithm for the user. */
  const termsOf = (login) => {
    const own = users.get(login.user);
    return own && { parts: features.map((_, feature) => partsOf(own, all, feature, login)), user: logOfUser(own) };
  };
  return {
    termsOf,
    score(login) {
      const own = users.get(login.user);
      if (!own) return Infinity;
      if (fitted) return weightedScore(termsOf(login), fitted);
      const product = features.reduce((sum, _, feature) => sum + Math.log(ratio(own, all, feature, login)), 0);
      return product + (byUser ? logOfUser(own) : 0);
    },
    learn(login) {
      all.add(login);
      if (!users.has(login.user)) users.set(login.user, new Counts(features));
      users.get(login.user).add(login);
    },
  };
}
