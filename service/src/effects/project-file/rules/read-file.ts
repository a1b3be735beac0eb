import type { z } from 'zod';
import { describeIssue, issuesByName } from '../../../ground/issue-rules.js';
import { unknownField } from '../../../ground/name-rules.js';
import { isRecord } from '../../../ground/record-rules.js';
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

/** Reads a file without its settings, which are read by `planSettings`. */
export function readFile(input: unknown): ReadFile {
  const { error } = projectFileSchema.safeParse(input, { error: describeIssue });
  const parts = isRecord(input) ? input : {};
  return {
    settings: settings.safeParse(parts.settings).data,
    lists: lists.safeParse(parts.lists).data,
    webhooks: webhooks.safeParse(parts.webhooks).data,
    issues: issuesByName(error?.issues ?? [], namesAt, unknownField),
  };
}

function namesAt(path: readonly PropertyKey[]): string[] {
  return path.length === 0 ? Object.keys(projectFileSchema.shape) : [];
}
