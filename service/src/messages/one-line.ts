/** Controls, line ends, and marks that turn the direction of what follows. */
const unruly = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu;

const characters = new Intl.Segmenter();

/**
 * A name as it may stand in a message: on one line, and cut to so many characters. A line end in it would begin a new
 * header, or make a last line of a text message that binds the code to another site.
 */
export function oneLine(name: string, maximum: number): string {
  const line = Array.from(characters.segment(name.replace(unruly, ' ').trim()), ({ segment }) => segment);
  return line.length <= maximum
    ? line.join('')
    : `${line
        .slice(0, maximum - 1)
        .join('')
        .trimEnd()}…`;
}
