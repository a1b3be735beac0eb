/** What a browser keeps for pages of the service. */
export interface PageCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** 0: it keeps it no more. */
  readonly seconds: number;
}

/** The line that sets a cookie (RFC 6265), out of the reach of scripts, and by https alone where the service has that. */
export function pageCookie(
  { publicUrl }: { readonly publicUrl: string },
  { name, value, path, sameSite, seconds }: PageCookie,
): string {
  const attributes = [`Path=${path}`, 'HttpOnly', `SameSite=${sameSite}`, `Max-Age=${seconds}`];
  if (publicUrl.startsWith('https:')) attributes.push('Secure');
  return [`${name}=${value}`, ...attributes].join('; ');
}
