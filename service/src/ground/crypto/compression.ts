import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * What compressed texts have in common: names of fields, and parts of user agents. Stored values need exactly this text, so
 * another one is another version of sealed values.
 */
const dictionary = Buffer.from(
  '"address_sources":{"country":"geo-whois-asn-country 2026-","location":"geolite2-city","asn":"ip-location-db asn 2026-",' +
    `"kind":"whorl's table of networks"}"key_thumbprint":"","proof":"valid","observed_verdict":"challenge","deny",` +
    '"is_address_shared":true,"outcome":"failed","reason":"new_device","evidence":{"reason":"new_ip","effect":"challenge"}],' +
    '"agent":{"methods":["passkey"],"user":"","action":"signup","action":"login","ip":"192.168."},"verdict":"allow",' +
    '"findings":[],"decisions":[],"fingerprint_id":"","confidence":1,"matched_by":"exact","changed":[],"user_id":"",' +
    '"revocations":0,"expires_at":"2026-T00:00:00.000Z"}Edg/ OPR/ SamsungBrowser/(Android 15; Mobile; rv:' +
    'Gecko/20100101 Firefox/(X11; Linux x86_64)(Linux; Android 10; K)(iPhone; CPU iPhone OS 18_5 like Mac OS X)' +
    '(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148' +
    ' Safari/604.1 Safari/605.1.15 Mobile Safari/537.36{"request":{"fingerprint":"w1.","last_fingerprint":"w1.",' +
    '"version":"0.1.0","metadata":{"amount":,"plan":"referrer":""},"user_agent":"Mozilla/5.0 (Windows NT 10.0; Win64; x64)' +
    ' AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36","email":"@gmail.com","phone":"+1",' +
    '"email_domain":"gmail.com"}',
);

/** A window that holds the dictionary and a usual text, and little memory, which zlib allocates for each call. */
const options = { dictionary, windowBits: 11, memLevel: 3 };

/** Returns a text in raw deflate (RFC 1951) with the dictionary: a usual request takes a third of its bytes. */
export function compress(text: string): Buffer {
  return deflateRawSync(text, options);
}

/** Returns the text. @throws {Error} if it was not compressed with this dictionary. */
export function expand(compressed: Uint8Array): string {
  return inflateRawSync(compressed, options).toString('utf8');
}
