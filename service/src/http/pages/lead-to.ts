/** Leads on, so that a reload repeats nothing (303, RFC 9110). `cookies`: lines that set them. */
export function leadTo(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}
