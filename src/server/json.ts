/**
 * What a text says as JSON; undefined where it is none. The failure itself is kept from callers: engines quote the text
 * in it.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
