import type { CursorPage, Page, Problem, Verdict } from '../wire/index.js';

/** Returns whether the value of a field is valid. */
type Check = (value: unknown) => boolean;

/**
 * Returns whether a body is the expected response. Checks only the fields that callers act on: a response from
 * something else, such as a proxy, is rejected, while older and newer versions of the service are accepted.
 */
export type ResultCheck<Result> = (body: unknown) => body is Result;

const verdicts: Readonly<Record<Verdict, true>> = {
  allow: true,
  challenge: true,
  restrict: true,
  challenge_and_restrict: true,
  deny: true,
};

export const isText: Check = (value) => typeof value === 'string';
export const isTruth: Check = (value) => typeof value === 'boolean';
export const isNumber: Check = (value) => typeof value === 'number';
export const isVerdict: Check = (value) => typeof value === 'string' && Object.keys(verdicts).includes(value);

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a check for an object with these fields. */
export function withFields<Result>(fields: { readonly [Name in keyof Result]?: Check }): ResultCheck<Result> {
  const checks = Object.entries<Check | undefined>(fields);
  return (body): body is Result => isObject(body) && checks.every(([name, check]) => check?.(body[name]) ?? true);
}

/** Returns a check for a list whose items pass another check. */
export function listOf<Item>(isItem: ResultCheck<Item>): ResultCheck<Item[]> {
  return (body): body is Item[] => Array.isArray(body) && body.every(isItem);
}

/** Returns a check for a page whose items pass another check. */
export function pageOf<Item>(isItem: ResultCheck<Item>): ResultCheck<Page<Item>> {
  return withFields<Page<Item>>({ data: listOf(isItem), page: isNumber, limit: isNumber, total: isNumber });
}

/** Returns a check for a page that continues at a cursor, whose items pass another check. */
export function cursorPageOf<Item>(isItem: ResultCheck<Item>): ResultCheck<CursorPage<Item>> {
  return withFields<CursorPage<Item>>({
    data: listOf(isItem),
    next_cursor: (value) => value === undefined || typeof value === 'string',
  });
}

export const isProblem = withFields<Problem>({ code: isText, status: isNumber });
