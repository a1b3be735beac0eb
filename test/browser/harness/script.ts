/**
 * An expression, to be evaluated in a page, whose promise resolves to a string: the JSON of the result or of what was
 * thrown. The engines' own ways to hand over values and errors differ too much; all of them can return a string.
 *
 * After `await null` the script is outside of the debugger's call, within which Firefox allows eval() against the
 * page's policy.
 */
export function toExpression(script: string | ((...args: never[]) => unknown), args: unknown[]): string {
  const call =
    typeof script === 'string'
      ? script
      : `(${script})(${args.map((arg) => JSON.stringify(arg) ?? 'undefined').join()})`;
  return `(async () => {
    try {
      await null;
      return JSON.stringify({ value: await (${call}) });
    } catch (thrown) {
      const isError = thrown instanceof Error || thrown instanceof DOMException;
      return JSON.stringify({ error: isError
        ? { name: thrown.name, message: thrown.message, stack: String(thrown.stack) }
        : { name: 'Error', message: String(thrown), stack: '' } });
    }
  })()`;
}

interface Outcome<Result> {
  value: Result;
  error?: { name: string; message: string; stack: string };
}

/** The caller states the type of its script's result, because JSON has no type to check. */
export function fromOutcome<Result>(text: unknown): Result {
  if (typeof text !== 'string') throw new Error(`The page gave no result: ${JSON.stringify(text)}`);
  const outcome: Outcome<Result> = JSON.parse(text);
  if (outcome.error) {
    const error = new Error(outcome.error.message);
    error.name = outcome.error.name;
    error.stack = `${error.name}: ${error.message}\n${outcome.error.stack}`;
    throw error;
  }
  return outcome.value;
}
