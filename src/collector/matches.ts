/** Whether a media feature, without its parentheses, holds. */
export function matches(feature: string): boolean {
  return matchMedia(`(${feature})`).matches;
}
