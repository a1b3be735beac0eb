/** Returns whether a media feature matches. Takes the feature without parentheses. */
export function matches(feature: string): boolean {
  return matchMedia(`(${feature})`).matches;
}
