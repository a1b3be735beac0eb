import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** What is wrong with the value at a path. */
interface PathIssue {
  readonly path: string;
  readonly message: string;
}

/** Maximum number of names that are compared with the known ones, of which there are fewer. */
export const maxNames = 100;

/**
 * Returns issues of zod with one for each name that is not known, whose message is `describe(name, known)`.
 *
 * @param namesAt Returns the known names of the object at a path, for suggestions.
 */
export function issuesByName(
  issues: readonly z.core.$ZodIssue[],
  namesAt: (path: readonly PropertyKey[]) => readonly string[],
  describe: (name: string, known: readonly string[]) => string,
): PathIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: pathOf(issue.path), message: issue.message }];
    const known = namesAt(issue.path);
    return issue.keys
      .slice(0, maxNames)
      .map((key) => ({ path: pathOf([...issue.path, key]), message: describe(key, known) }));
  });
}

/** Returns a path as texts joined by points. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Describes an error of a value, as a phrase that follows the field's name: "must be a string, not a number". */
export function describeIssue(issue: Issue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int' && typeof issue.input === 'number') return 'must be a whole number';
      return `must be ${nameOfType(issue.expected)}, not ${typeOf(issue.input)}`;
    case 'invalid_value':
      return `must be ${list(issue.values.map((value) => JSON.stringify(value)))}`;
    case 'too_small':
      return isNumeric(issue.origin)
        ? `must be at least ${issue.minimum}`
        : `must have at least ${count(issue.minimum, issue.origin)}`;
    case 'too_big':
      return isNumeric(issue.origin)
        ? `must be at most ${issue.maximum}`
        : `must have at most ${count(issue.maximum, issue.origin)}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the expected format'}`;
    default:
      return 'is not valid';
  }
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'an ID (a UUID)',
  datetime: 'a timestamp such as 2026-01-31T09:30:00Z',
  date: 'a date such as 2026-01-31',
};

function nameOfType(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a JSON object',
    record: 'a JSON object',
  };
  return names[expected] ?? expected;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const type = typeof value;
  if (type === 'boolean') return 'a boolean';
  return type === 'object' ? 'a JSON object' : `a ${type}`;
}

function isNumeric(origin: string): boolean {
  return origin === 'number' || origin === 'int';
}

function count(bound: number | bigint, origin: string): string {
  const unit = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries'];
  return `${bound} ${unit[bound === 1 ? 0 : 1]}`;
}

function list(choices: readonly string[]): string {
  const last = choices.at(-1) ?? '';
  return choices.length > 1 ? `${choices.slice(0, -1).join(', ')} or ${last}` : last;
}
