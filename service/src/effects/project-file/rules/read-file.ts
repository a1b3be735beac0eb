import type { z } from 'zod';
import { describeIssue } from '../../../ground/issue-rules.js';
import { suggestion } from '../../../ground/name-rules.js';
import { isRecord } from './document.js';
import { projectFileSchema } from './schema.js';

/** Problem with a file. */
export interface FileIssue {
  /** Such as `settings.device_limit.overall`; empty for the whole file. */
  readonly path: string;
  /** Phrase that follows the path: "must be a string". */
  readonly message: string;
}

const { settings, lists, webhooks } = projectFileSchema.shape;

export interface ReadFile {
  /** The parts that have the right form. */
  readonly settings: z.output<typeof settings>;
  readonly lists: z.output<typeof lists>;
  readonly webhooks: z.output<typeof webhooks>;
  readonly issues: readonly FileIssue[];
}

/** Maximum number of names that are compared with the known ones, of which there are fewer. */
export const maxNames = 100;

/** Reads a file without its settings, which are read by `planSettings`. */
export function readFile(input: unknown): ReadFile {
  const { error } = projectFileSchema.safeParse(input, { error: describeIssue });
  const parts = isRecord(input) ? input : {};
  return {
    settings: settings.safeParse(parts.settings).data,
    lists: lists.safeParse(parts.lists).data,
    webhooks: webhooks.safeParse(parts.webhooks).data,
    issues: issuesOf(error?.issues ?? [], (path) => (path.length === 0 ? Object.keys(projectFileSchema.shape) : [])),
  };
}

/**
 * Returns issues of zod as issues of a file, one for each unknown field.
 *
 * @param namesAt Returns the known fields of the object at a path, for suggestions.
 */
export function issuesOf(
  issues: readonly z.core.$ZodIssue[],
  namesAt: (path: readonly PropertyKey[]) => readonly string[],
): FileIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: pathOf(issue.path), message: issue.message }];
    const known = namesAt(issue.path);
    return issue.keys
      .slice(0, maxNames)
      .map((key) => ({ path: pathOf([...issue.path, key]), message: unknownField(key, known) }));
  });
}

export function pathOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

export function unknownField(name: string, known: readonly string[]): string {
  return `is not a known field${suggestion(name, known)}`;
}
