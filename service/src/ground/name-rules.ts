import { closestMatch } from 'leven';

/** Longer names are cut, because the comparison takes time in proportion to their length. */
const maxLength = 64;

/** Returns the known name that a misspelt one probably means. Ignores case and separators: `userAgent` means `user_agent`. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const target = plain(name.slice(0, maxLength));
  const maxDistance = Math.max(1, Math.floor(target.length * 0.4));
  const nearest = closestMatch(target, known.map(plain), { maxDistance });
  return known.find((each) => plain(each) === nearest);
}

/** Returns the end of a sentence about an unknown name: "; did you mean `user_agent`?", or nothing. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
}

/** Returns what is wrong with an unknown name, as a phrase that follows it. */
export function unknownField(name: string, known: readonly string[]): string {
  return `is not a known field${suggestion(name, known)}`;
}
