/** Parameters of the trace for which no published figure is known to us, besides those in sources.mjs. */
export const assumptions = {
  // People.
  earlierAccounts: [0.7, 'share of people whose account is older than the trace; the others sign up within 300 days'],
  liveNearWork: [0.8, 'share of employees who live in the city of their workplace'],
  usualHour: [13, 'mean of the people’s usual hours of the day'],
  usualHourSpread: [3, 'standard deviation of these, in hours'],
  hourSpread: [4, 'standard deviation of a person’s logins around the usual hour, in hours'],
  workFrom: [8, 'hour at which work begins, Monday to Friday'],
  workUntil: [18, 'hour at which it ends'],
  awayAgain: [0.5, 'share of visits in networks of others that are in one used before'],
  awayPlaces: [4, 'number of such networks that a person uses again'],
  phoneWeight: [1.4, 'how often a phone is used, compared with a computer'],
  tabletWeight: [0.4, 'how often a tablet is used, compared with a computer'],
  secondWeight: [0.2, 'how often the second browser is used, compared with the first'],
  // Networks.
  citiesPerCountry: [25, 'cities of a country, with frequencies by Zipf’s law'],
  providerShares: ['38, 24, 16, 12, 10', 'shares of a country’s providers, in per cent'],
  carrierShares: ['40, 35, 25', 'shares of a country’s mobile operators, in per cent'],
  sharedAddresses: [64, 'addresses of a city’s carrier-grade NAT'],
  vpnServices: [8, 'VPN services'],
  vpnAddresses: [200, 'addresses of a VPN service in a country'],
  relayAddresses: [2000, 'addresses of the privacy relay in a country'],
  // Attackers.
  attackerPhones: [0.55, 'share of attackers with a phone, unless they imitate a device'],
  attackFromServer: [0.5, 'share of attackers from anywhere who use a server'],
  attackFromPhone: [0.1, 'share of them in a phone network; the others are in homes'],
  attackByRelay: [0.1, 'share of attackers in the victim’s country who use a privacy relay'],
  attackByVpn: [0.6, 'share of them who use a VPN; the others are in homes'],
  copiesInCountry: [0.5, 'share of attackers with a copied fingerprint who come from the victim’s country'],
  sessionNear: [0.5, 'share of stolen sessions that are used in the victim’s city at the victim’s provider'],
  takenOver: [0.5, 'share of people who are taken over once, in the table of attackers who come back'],
  takenOverAfter: [3, 'logins of a person before that'],
};
