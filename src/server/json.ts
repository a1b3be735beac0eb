/**
 * Parses JSON. Returns undefined if the text is not JSON. The parser's error is dropped, because engines quote the text
 * in it.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
