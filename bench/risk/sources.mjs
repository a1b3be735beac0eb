import { assumptions } from './assumptions.mjs';

/**
 * Every parameter of the trace, with its source. docs/research/risk-trace.md prints this table. An
 * `estimate` is our assumption: no published figure is known to us. Durations are in days unless the name says otherwise.
 */
export const parameters = {
  // How often people log in.
  rateShape: {
    value: 0.09,
    source: 'rba',
    detail:
      'gamma distribution of logins per user, fitted to 271,719 active users and 476,564 logins in 14 days, among 3.3 million users',
  },
  ratePerYear: { value: 41.7, source: 'rba', detail: 'scale of that distribution, in logins a year' },
  minPerYear: {
    value: 2,
    source: 'estimate',
    detail: 'people who log in less often have no history to compare with, and are left out',
  },
  // Where they are.
  homeMarket: {
    value: 0.8,
    source: 'estimate',
    detail: 'share of people in the project’s home country; the others by share of web users',
  },
  wifiShare: {
    value: 0.6,
    source: 'opensignal',
    detail: 'share of a phone’s time on Wi-Fi: 51% (Italy) to 70% (Canada) in January 2020',
  },
  phoneAwayWifi: {
    value: 0.15,
    source: 'estimate',
    detail: 'share of a phone’s Wi-Fi visits in networks of others, each seen a few times',
  },
  computerAway: { value: 0.06, source: 'estimate', detail: 'share of a computer’s visits in networks of others' },
  homeDaily: {
    value: 0.1,
    source: 'padmanabhan',
    detail: 'share of homes with a new address every day: 20 providers reassign addresses after a multiple of 24 hours',
  },
  homeLease: {
    value: 0.5,
    source: 'estimate',
    detail: 'share of homes whose address changes at outages and lease ends',
  },
  homeLeaseDays: { value: 60, source: 'estimate', detail: 'mean number of days between these changes' },
  homeShared: {
    value: 0.12,
    source: 'richter',
    detail: 'share of homes behind carrier-grade NAT: 17% of eyeball networks use it, not for all customers',
  },
  homeStaticDays: {
    value: 700,
    source: 'estimate',
    detail: 'mean number of days between address changes of the remaining homes',
  },
  otherPrefix: {
    value: 0.5,
    source: 'padmanabhan',
    detail: 'share of address changes to another routed prefix: “almost half”',
  },
  gatewaysPerRegion: {
    value: 1000,
    source: 'richter',
    detail:
      'public addresses of a mobile gateway region; more than 90% of cellular networks use carrier-grade NAT. The number is an estimate',
  },
  gatewaySticky: {
    value: 0.3,
    source: 'estimate',
    detail: 'share of mobile visits at the address of the person’s last mobile visit',
  },
  employed: { value: 0.55, source: 'estimate', detail: 'share of people with a workplace from which they log in' },
  perWorkplace: { value: 25, source: 'estimate', detail: 'people of the project at one workplace’s address' },
  tripsPerYear: {
    value: 2.5,
    source: 'eurostat',
    detail: '1.14 billion trips with a night’s stay in 2023 by 449 million residents of the EU',
  },
  tripNights: { value: 5.1, source: 'eurostat', detail: 'mean length, 2017' },
  tripAbroad: { value: 0.27, source: 'eurostat', detail: 'share of trips abroad, 2023' },
  movesPerYear: { value: 0.084, source: 'census', detail: 'share of people who moved in a year, 2020 to 2021' },
  moveAway: { value: 0.33, source: 'census', detail: 'share of moves to another county, 2013 to 2014' },
  vpnUsers: { value: 0.29, source: 'pcmag', detail: 'share of people who say that they use a VPN, 2018' },
  vpnVisits: { value: 0.15, source: 'estimate', detail: 'share of their visits through it' },
  vpnHomeCountry: {
    value: 0.6,
    source: 'estimate',
    detail: 'share of VPN sessions with an exit in the person’s country',
  },
  relayUsers: {
    value: 0.1,
    source: 'estimate',
    detail: 'share of iPhone and Mac users with a privacy relay in Safari',
  },
  knownAnonymous: {
    value: 0.8,
    source: 'estimate',
    detail: 'share of VPN addresses that the address databases know as such',
  },
  // What they use.
  computerOwners: {
    value: 0.75,
    source: 'estimate',
    detail: 'share of people who log in from a computer of their own',
  },
  phoneOwners: { value: 0.9, source: 'estimate', detail: 'share of people who log in from a phone' },
  tabletOwners: { value: 0.15, source: 'estimate', detail: 'share of people who log in from a tablet' },
  workComputers: {
    value: 0.6,
    source: 'estimate',
    detail: 'share of people with a workplace who log in from a computer there',
  },
  secondBrowser: { value: 0.1, source: 'estimate', detail: 'share of computers on which the person uses two browsers' },
  phoneMonths: { value: 43, source: 'strategy', detail: 'mean number of months until a phone is replaced, 2020' },
  computerMonths: { value: 60, source: 'estimate', detail: 'mean number of months until a computer is replaced' },
  releases: {
    value: 'identity/population/rates.mjs',
    source: 'vendors',
    detail: 'days between releases and until a browser updates',
  },
  drift: {
    value: 'identity/population/rates.mjs',
    source: 'fpstalker',
    detail: 'how often canvas, fonts, screen and time zone of a browser change',
  },
  devices: {
    value: 'identity/population/network.mjs',
    source: 'apify',
    detail: 'hardware, screens, fonts and browsers of devices, by kind',
  },
  storage: {
    value: 'identity/population/people.mjs',
    source: 'storage',
    detail: 'who clears storage, uses private windows, and what WebKit deletes',
  },
  // Failures and attacks.
  honestFailures: {
    value: 0.1,
    source: 'chatterjee',
    detail:
      'share of logins with a failed attempt before; “almost 10%” of attempts at Dropbox fail because of simple typing errors',
  },
  failedAgain: { value: 0.35, source: 'estimate', detail: 'probability of another failure after a failure' },
  mistypedNames: { value: 0.05, source: 'estimate', detail: 'share of honest failures with a name that nobody has' },
  attackFailures: {
    value: 0.15,
    source: 'estimate',
    detail: 'share of attackers with the right password who failed before',
  },
  stuffingHits: {
    value: 0.005,
    source: 'azion',
    detail: 'share of stolen passwords that work: 0.1 to 2% in industry reports',
  },
  attackMix: {
    value:
      'naive 0.2, vpn 0.15, targeted 0.15, otherBrowser 0.15, lookAlike 0.05, copied 0.05, copiedElsewhere 0.05, copiedChanged 0.05, copiedNear 0.05, neighbour 0.05, neighbourSameBrowser 0.05',
    source: 'estimate',
    detail: 'shares of the attackers, for fitting and calibration',
  },
  leakOverlap: {
    value: 0.1,
    source: 'estimate',
    detail: 'share of the names on a stolen list that exist in the project',
  },
  attackShare: {
    value: 0.001,
    source: 'estimate',
    detail: 'share of logins with the right password that are attacks, for calibration',
  },
  ...Object.fromEntries(
    Object.entries(assumptions).map(([name, [value, detail]]) => [name, { value, source: 'estimate', detail }]),
  ),
};

export const sources = {
  rba: 'Wiefling, Jørgensen, Thunem, Lo Iacono: Pump Up Password Security!, ACM TOPS 26(1), 2022; the public data set’s README, and the output of the authors’ notebook das-group/rba-algorithm',
  opensignal:
    'Opensignal: time on Wi-Fi, week of 6 January 2020, as reported by Mobile World Live, “Lockdowns spur jump in Wi-Fi connectivity”',
  padmanabhan:
    'Padmanabhan, Dhamdhere, Aben, claffy, Spring: Reasons Dynamic Addresses Change, IMC 2016, abstract. The shares of homes are estimates',
  richter: 'Richter et al.: A Multi-perspective Analysis of Carrier-Grade NAT Deployment, IMC 2016',
  eurostat: 'Eurostat: tourism trips of EU residents, press releases for 2023 (16 October 2024) and 2017',
  census: 'US Census Bureau: Current Population Survey, geographic mobility 2020 to 2021 and 2013 to 2014',
  pcmag: 'PCMag: survey of 3,000 US consumers, September 2018',
  strategy: 'Strategy Analytics: global smartphone replacement cycle, blog of 17 December 2021',
  vendors: 'Release calendars of Chrome, Firefox and Safari',
  fpstalker: 'Vastel, Laperdrix, Rudametkin, Rouvoy: FP-Stalker, IEEE S&P 2018, table 2',
  apify: 'The Bayesian network of the npm package fingerprint-generator, trained on real traffic',
  storage: 'identity.md, “A population”, names the source of each',
  chatterjee:
    'Chatterjee, Athalye, Akhawe, Juels, Ristenpart: pASSWORD tYPOS and How to Correct Them Securely, IEEE S&P 2016, abstract',
  azion: 'Azion: What is credential stuffing; other vendors give up to 2%',
  estimate: 'Our assumption',
};

/** Shares of the attackers, for fitting and calibration. */
export const attackMix = Object.fromEntries(
  parameters.attackMix.value.split(', ').map((entry) => [entry.split(' ')[0], Number(entry.split(' ')[1])]),
);

/** The values alone. */
export const given = Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]));

/** Returns the table of parameters in Markdown. */
function parameterTable() {
  const rows = Object.entries(parameters).map(
    ([name, { value, source, detail }]) => `| \`${name}\` | ${value} | ${detail} | ${sources[source]} |`,
  );
  return ['| parameter | value | meaning | source |', '|---|---|---|---|', ...rows].join('\n');
}

/** Returns docs/research/risk-trace.md. */
export function parameterPage() {
  return `# Parameters of the simulated logins

Written by \`npm run --silent --prefix bench risk -- --sources > docs/research/risk-trace.md\`; the source is \`bench/risk/sources.mjs\`.
[risk-measured.md](risk-measured.md) uses them. Durations are in days unless the name says otherwise.

${parameterTable()}`;
}
