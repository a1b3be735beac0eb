import type { RouteResponse } from './request.js';

const always = {
  'X-Content-Type-Options': /^nosniff$/,
  'Referrer-Policy': /^no-referrer$/,
  'Strict-Transport-Security': /^max-age=\d{8,}/,
  'Content-Security-Policy': /default-src 'none'.*frame-ancestors 'none'/,
};
const onPages = {
  'Content-Security-Policy': /base-uri 'none'/,
  'X-Frame-Options': /^DENY$/,
  'Permissions-Policy': /camera=\(\)/,
};
/** Sources that would defeat a policy: inline code, and code from any origin. */
const loose = /unsafe|(?<![\w.])\*|\bhttps?:(?!\/\/)|strict-dynamic/;

/** Returns the security headers that a response is missing, for a service on https. */
export function missingIn(
  { headers, text }: RouteResponse,
  { isKept = false }: { readonly isKept?: boolean },
): string[] {
  const isPage = headers.get('Content-Type')?.startsWith('text/html') ?? false;
  const wanted = [...Object.entries(always), ...(isPage ? Object.entries(onPages) : [])];
  const missing = wanted.filter(([name, form]) => !form.test(headers.get(name) ?? '')).map(([name]) => name);
  const policy = headers.get('Content-Security-Policy') ?? '';
  if (loose.test(policy)) missing.push(`strict policy: ${policy}`);
  if (isPage && !/form-action '(none|self)'/.test(policy)) missing.push('form-action');
  if (isPage && /<script(?![^>]*\bsrc=)|\son\w+="|\sstyle="|javascript:/i.test(text))
    missing.push('no code in the page');
  if (!isKept && headers.get('Cache-Control') !== 'no-store') missing.push('Cache-Control: no-store');
  for (const cookie of headers.getSetCookie()) {
    const attributes = ['HttpOnly', 'Secure', 'SameSite='].filter((each) => !cookie.includes(each));
    if (attributes.length > 0) missing.push(`cookie: ${attributes.join(', ')}`);
  }
  return missing;
}
