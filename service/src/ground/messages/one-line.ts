/** Control characters, line breaks, and marks that change the text direction. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu;

const characters = new Intl.Segmenter();

/**
 * Converts a name to a single line and truncates it, for use in messages. A line break could start a new mail header, or
 * end a text message with a line that binds the code to another site.
 */
export function oneLine(name: string, maximum: number): string {
  const line = Array.from(characters.segment(name.replace(unsafe, ' ').trim()), ({ segment }) => segment);
  return line.length <= maximum
    ? line.join('')
    : `${line
        .slice(0, maximum - 1)
        .join('')
        .trimEnd()}…`;
}
