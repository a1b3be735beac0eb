import type { Page, Problem, Verdict } from '../wire/index.js';

/** Whether a value of an answer is what it has to be. */
type Check = (value: unknown) => boolean;

/**
 * Whether an answer is of the kind that was asked for. The service keeps to its types; what is checked here are the
 * fields that callers act on, so that an answer of something else, such as a proxy, does not pass for one of the
 * service's, and older and newer services are understood.
 */
export type AnswerCheck<Answer> = (body: unknown) => body is Answer;

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

/** Answers that are an object with these fields. */
export function withFields<Answer>(fields: { readonly [Name in keyof Answer]?: Check }): AnswerCheck<Answer> {
  const checks = Object.entries<Check | undefined>(fields);
  return (body): body is Answer => isObject(body) && checks.every(([name, check]) => check?.(body[name]) ?? true);
}

/** Answers that are a list of what the other check lets pass. */
export function listOf<Item>(isItem: AnswerCheck<Item>): AnswerCheck<Item[]> {
  return (body): body is Item[] => Array.isArray(body) && body.every(isItem);
}

/** Answers that are a page of what the other check lets pass. */
export function pageOf<Item>(isItem: AnswerCheck<Item>): AnswerCheck<Page<Item>> {
  return withFields<Page<Item>>({ data: listOf(isItem), page: isNumber, limit: isNumber, total: isNumber });
}

export const isProblem = withFields<Problem>({ code: isText, status: isNumber });
