import { type RequestHeaders, readHeader } from './headers.js';

/**
 * Returns a function that reads the visitor's address from `X-Forwarded-For`, or undefined if fewer proxies than that
 * have written to it.
 *
 * @param proxies How many proxies of your own stand before the application. Each adds one address, so the visitor's is
 *   that many from the right; what stands to its left may be forged.
 * @throws TypeError if `proxies` is not a whole number above 0.
 */
export function forwardedFor(proxies: number): (request: { readonly headers: RequestHeaders }) => string | undefined {
  if (!Number.isInteger(proxies) || proxies < 1) {
    throw new TypeError('forwardedFor needs the number of your own proxies, a whole number above 0.');
  }
  return ({ headers }) => {
    const chain = forwarders(headers);
    return chain[chain.length - proxies];
  };
}

/** Returns the entries of `X-Forwarded-For`. What is not an address is undefined. */
export function forwarders(headers: RequestHeaders): (string | undefined)[] {
  return readHeader(headers, 'x-forwarded-for')?.split(',').map(parseAddress) ?? [];
}

/** Returns the address in a text. Some proxies include the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
export function parseAddress(text = ''): string | undefined {
  const entry = text.trim();
  const bare = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  // A server that listens on IPv6 shows IPv4 in this form. The zone has no meaning outside the host.
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*/s, '');
  return isAddress(address) ? address : undefined;
}

/** URLs contain addresses in their one normal form, on every platform. */
function isAddress(text: string): boolean {
  if (/^[\d.]+$/.test(text)) return URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text;
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
}
