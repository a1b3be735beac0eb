import { isDeepStrictEqual } from 'node:util';
import type { ProjectChange } from 'whorl/wire';
import { isRecord } from '../../../ground/record-rules.js';
import { settingNames } from '../../../resources/projects/rules/project-settings/fields.js';
import type { Settings } from '../../../resources/projects/rules/settings.js';
import { withoutQuery } from '../../webhooks/rules/endpoint-urls.js';
import type { Mode } from './document.js';

/** Returns the differences between settings, down to single values and list entries. */
export function settingChanges(before: Settings, after: Settings): ProjectChange[] {
  return settingNames.flatMap((name) => compare(`settings.${name}`, before[name], after[name]));
}

function compare(path: string, from: unknown, to: unknown): ProjectChange[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (isRecord(from) || isRecord(to)) {
    const [left, right] = [isRecord(from) ? from : {}, isRecord(to) ? to : {}];
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names].flatMap((name) => compare(`${path}.${name}`, left[name], right[name]));
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    const [removed, added] = [without(from, to), without(to, from)];
    // Otherwise, the order or the number of equal entries differs.
    if (removed.length + added.length > 0) return entryChanges(path, removed, added);
  }
  if (from === undefined) return [{ change: 'added', path, to }];
  if (to === undefined) return [{ change: 'removed', path, from }];
  return [{ change: 'changed', path, from, to }];
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const others = new Set(other);
  return list.filter((entry) => !others.has(entry));
}

/** Returns the differences between the webhook endpoints of a mode, without the queries of their URLs. */
export function webhookChanges(mode: Mode, removed: readonly string[], added: readonly string[]): ProjectChange[] {
  return entryChanges(`webhooks.${mode}`, removed.map(withoutQuery), added.map(withoutQuery));
}

function entryChanges(path: string, removed: readonly unknown[], added: readonly unknown[]): ProjectChange[] {
  return [
    ...removed.map((from): ProjectChange => ({ change: 'removed', path, from })),
    ...added.map((to): ProjectChange => ({ change: 'added', path, to })),
  ];
}

const signs = { added: '+', removed: '-', changed: '~' } as const;

/** Returns a change as a line: `~ settings.device_limit.overall: 5 → 3`. */
export function describeChange({ change, path, from, to }: ProjectChange): string {
  const values = [from, to].filter((value) => value !== undefined).map(asText);
  return `${signs[change]} ${path}: ${values.join(' → ')}`;
}

/** Returns a value as JSON. Control characters, which could change what a terminal shows, are escaped. */
function asText(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\p{Cc}\p{Bidi_C}]/gu, escaped);
}
