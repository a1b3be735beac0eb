/** Returns the result of an action, or undefined if it throws. */
export function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
