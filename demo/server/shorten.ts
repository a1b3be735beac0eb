const SECRET = /password|secret|authorization/i;
const TOKEN = /token|proof/i;
const SHOWN_OF_TOKEN = 16;
const LONGEST_TEXT = 200;

/** The same value as it may be shown: without secrets, and with the beginnings of tokens and long texts alone. */
export function shorten(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return shortenText(value, name);
  if (Array.isArray(value)) return value.map((item) => shorten(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, key)]));
}

function shortenText(text: string, name: string): string {
  if (SECRET.test(name)) return '••••••••';
  const shown = TOKEN.test(name) ? SHOWN_OF_TOKEN : LONGEST_TEXT;
  return text.length > shown ? `${text.slice(0, shown)}… (${text.length} characters)` : text;
}
