import { chooser, seeded } from '../../service/dist/testing.js';

/**
 * Creates people and their evaluations, with rings of fraud among them. Assumptions: a ring shares up to 3 traits, each of
 * which honest people have as well; the second ring is half as large as the first, and the third a third; 3 of 100 evaluations of a ring lack one; people without a ring who commit fraud look
 * like honest people (2 of 100, unless said otherwise). Everything else is drawn in the same way for both.
 */
export function population(/** @type {number} */ seed, { rings, lone = 0.02, mislabelled = 0 }) {
  const random = seeded(seed);
  const draw = drawer(random);
  const ringOf = chooser(rings.map((ring, index) => [ring, 1 / (index + 1)]));
  /** Returns the evaluations of a person. `number`: at most this many. */
  const person = (/** @type {boolean} */ isFraud, number = 1 + Math.floor(-2 * Math.log(1 - random()))) => {
    const ring = isFraud && random() >= lone ? ringOf(random) : [];
    const about = {
      os: draw.os(),
      browser: draw.browser(),
      country: draw.country(),
      domain: draw.domain(),
      asn: draw.asn(),
    };
    return Array.from({ length: number }, () => {
      const values = evaluation(draw, random, about);
      const lacking = random() < 0.03 ? Math.floor(random() * 3) : -1;
      const traits = ring.filter((_trait, index) => index !== lacking).map((trait) => trait(random));
      const metadata = Object.assign({}, values.metadata, ...traits.map((trait) => trait.metadata ?? {}));
      const all = Object.assign({}, values, ...traits, { metadata });
      return { values: all, label: isFraud !== random() < mislabelled ? 'fraud' : 'legitimate' };
    });
  };
  return { random, person };
}

/** Traits that rings may share. Honest people have each by chance. */
export const traits = {
  hosting: () => ({ 'address.kind': 'hosting' }),
  farm: (random) => ({ 'device.other_users': 5 + Math.floor(6 * random()) }),
  crowd: (random) => ({ 'address.users_today': 25 + Math.floor(60 * random()) }),
  newDevice: () => ({
    'device.is_new': true,
    'device.is_trusted': false,
    'device.matched_by': 'new',
    reasons: ['new_device'],
  }),
  cashOut: (random) => ({ action: 'payout', metadata: { amount: 450 + Math.floor(50 * random()) } }),
  country: () => ({ 'address.country': 'C7' }),
  provider: () => ({ 'address.asn': 64_540, 'address.organisation': 'Organisation 28' }),
  domain: () => ({ 'email.domain': 'mail20.example' }),
  linux: () => ({ 'device.os': 'Linux' }),
  night: (random) => ({ 'time.hour': Math.floor(3 * random()) }),
  voucher: () => ({ metadata: { voucher: true } }),
  hurried: (random) => ({ 'user.evaluations_today': 6 + Math.floor(10 * random()) }),
  gift: () => ({ metadata: { kind: 'gift_card' } }),
};

function drawer(random) {
  const zipf = (number, name) => () => name(Math.min(number - 1, Math.floor(number ** random() - 1)));
  return {
    os: zipf(6, (at) => ['Windows', 'iOS', 'Android', 'macOS', 'Linux', 'unknown'][at]),
    browser: zipf(4, (at) => ['Chromium', 'WebKit', 'Gecko', 'unknown'][at]),
    country: zipf(40, (at) => `C${at}`),
    domain: zipf(200, (at) => `mail${at}.example`),
    asn: zipf(300, (at) => 64_512 + at),
    count: (mean) => Math.floor(-mean * Math.log(1 - random())),
    is: (share) => random() < share,
  };
}

function evaluation(draw, random, { os, browser, country, domain, asn }) {
  const isNew = draw.is(0.06);
  const action = ['login', 'login', 'login', 'payment', 'payout', 'signup'][Math.floor(6 * random())];
  const kind = ['', '', '', '', '', '', 'mobile', 'mobile', 'vpn', 'hosting'][Math.floor(10 * random())];
  return {
    action,
    outcome: 'succeeded',
    metadata: {
      amount: Math.round(Math.exp(3.3 + 2 * (random() + random() + random() - 1.5))),
      voucher: draw.is(0.1),
      kind: ['goods', 'goods', 'goods', 'service', 'gift_card'][Math.floor(5 * random())],
    },
    reasons: [...(isNew ? ['new_device'] : []), ...(draw.is(0.1) ? ['new_ip'] : [])],
    'user.id': '',
    'user.is_new': action === 'signup' || draw.is(0.05),
    'user.evaluations_today': draw.count(1.5),
    'user.failures_today': draw.count(0.3),
    'user.devices_today': 1 + draw.count(0.2),
    'user.countries_today': 1 + draw.count(0.1),
    'device.is_new': isNew,
    'device.is_trusted': !isNew && draw.is(0.7),
    'device.is_proven': draw.is(0.6),
    'device.kind': os === 'iOS' || os === 'Android' ? 'mobile' : 'desktop',
    'device.os': os,
    'device.browser': browser,
    'device.matched_by': isNew ? 'new' : 'exact',
    'device.other_users': draw.count(0.6),
    'device.users_today': 1 + draw.count(0.2),
    'address.ip': '',
    'address.is_trusted': draw.is(0.6),
    'address.country': country,
    'address.asn': asn,
    'address.organisation': `Organisation ${asn - 64_512}`,
    'address.kind': kind,
    'address.users_today': 1 + draw.count(kind === 'mobile' ? 20 : 2),
    'address.failures_today': draw.count(kind === 'hosting' ? 3 : 0.3),
    'address.signups_today': draw.count(0.2),
    'email.domain': domain,
    'risk.score': Math.round(1000 * random() ** 4) / 10,
    'time.hour': Math.floor(24 * random() ** 0.8),
    'time.weekday': 1 + Math.floor(7 * random()),
  };
}
