import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ProjectFile, ProjectFileListEntry } from 'whorl/wire';
import { isRecord } from '../../../ground/record-rules.js';
import { defaultSettings, type Settings } from '../../../resources/projects/rules/settings.js';
import { withoutQuery } from '../../webhooks/rules/endpoint-urls.js';

export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

/** Everything of a project that a file describes. */
export interface ProjectState {
  readonly settings: Settings;
  /** Entries of lists that are in effect, by kind and value. */
  readonly lists: readonly ProjectFileListEntry[];
  /** URLs of the webhook endpoints, the oldest first. */
  readonly webhooks: Readonly<Record<Mode, readonly string[]>>;
}

/** Returns a project as a file. The same state gives the same file, character for character. */
export function fileOf({ settings, lists, webhooks }: ProjectState, schemaUrl: string): ProjectFile {
  const entries = (mode: Mode) => webhooks[mode].map((url) => ({ url: withoutQuery(url) }));
  return {
    $schema: schemaUrl,
    settings: difference(settings, defaultSettings),
    lists: lists.map((entry) => ({ ...entry })),
    webhooks: { live: entries('live'), test: entries('test') },
  };
}

/** Returns a version of a file, by which later changes are detected. */
export function versionOf({ settings, lists, webhooks }: ProjectFile): string {
  return createHash('sha256').update(JSON.stringify({ settings, lists, webhooks })).digest('base64url').slice(0, 22);
}

/** Returns the fields of an object that differ from another, in the other's order, further fields sorted by name. */
function difference(value: object, other: object): Record<string, unknown> {
  const [own, others] = [new Map(Object.entries(value)), new Map(Object.entries(other))];
  const more = [...own.keys()].filter((name) => !others.has(name)).sort();
  const names = [...[...others.keys()].filter((name) => own.has(name)), ...more];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(own.get(name), others.get(name)))
      .map((name) => [name, part(own.get(name), others.get(name))]),
  );
}

function part(value: unknown, other: unknown): unknown {
  return isRecord(value) ? difference(value, isRecord(other) ? other : {}) : value;
}
