import type { AddressKind } from 'whorl/wire';

/**
 * Hosting companies whose networks serve machines, by the number of their autonomous system. Networks that also serve
 * homes or offices are left out: Microsoft's 8075, Google's 15169, Cloudflare's 13335 (its VPN for consumers). The numbers
 * are public (RIPE, ARIN and APNIC registries); `bundled.test.ts` checks the names against the database.
 */
export const hostingNetworks: Readonly<Record<number, string>> = {
  8560: 'IONOS',
  9009: 'M247',
  12876: 'Scaleway',
  14061: 'DigitalOcean',
  14618: 'Amazon',
  16265: 'Leaseweb',
  16276: 'OVH',
  16509: 'Amazon',
  19318: 'Interserver',
  20473: 'Constant Company',
  23470: 'ReliableSite',
  24940: 'Hetzner',
  26496: 'GoDaddy',
  28753: 'Leaseweb',
  29066: 'velia.net',
  29802: 'HIVELOCITY',
  30633: 'Leaseweb',
  31898: 'Oracle',
  36352: 'HostPapa',
  37963: 'Alibaba',
  40676: 'Psychz',
  43350: 'NForce',
  45090: 'Tencent',
  45102: 'Alibaba',
  46606: 'Unified Layer',
  47583: 'Hostinger',
  49981: 'WorldStream',
  50340: 'Selectel',
  51167: 'Contabo',
  53667: 'FranTech',
  54825: 'Packet Host',
  55286: 'B2 Net',
  55990: 'Huawei Cloud',
  60068: 'Datacamp',
  60781: 'Leaseweb',
  62240: 'Clouvider',
  63023: 'GTHost',
  63949: 'Akamai',
  132203: 'Tencent',
  136907: 'Huawei',
  197540: 'netcup',
  199524: 'G-Core',
  202425: 'IP Volume',
  212238: 'Datacamp',
  213230: 'Hetzner',
  396982: 'Google',
};

/** Mobile operators whose networks serve phones only. Those of operators that also serve homes are left out. */
export const mobileNetworks: Readonly<Record<number, string>> = {
  6167: 'Verizon',
  9605: 'DOCOMO',
  12430: 'Vodafone',
  20057: 'AT&T',
  21928: 'T-Mobile',
  22394: 'Verizon',
  24389: 'grameenphone',
  25135: 'Vodafone',
  35228: 'Telefonica UK',
  45143: 'Singapore Telecom Mobile',
  60339: 'Hutchison 3G',
  138384: 'Rakuten Mobile',
  206067: 'Hutchison 3G',
};

/** Returns the kind of all addresses of a network; undefined if they differ or the network is not in the tables. */
export function kindOfNetwork(asn: number): AddressKind | undefined {
  if (Object.hasOwn(hostingNetworks, asn)) return 'hosting';
  return Object.hasOwn(mobileNetworks, asn) ? 'mobile' : undefined;
}
