import { createHash } from 'node:crypto';
import { defaultSettings, type Settings } from '../settings.js';
import { type Field, type NamedField, type SettingName, settingField } from './fields.js';

/** Names and values that a form posts, in display order. */
export type Pairs = [name: string, value: string][];

/** Value of a ticked checkbox. */
export const ticked = 'on';

/** Returns the form values of some settings. */
export function writeSettings(names: readonly SettingName[], settings: Settings): Pairs {
  return names.flatMap((name) => write(settingField(name), settings[name]));
}

/**
 * Reads settings from a posted form. Values that cannot be read are left for the schema to reject. A value equal to its
 * default is returned as undefined, so that it follows changes of the default.
 */
export function readSettingsForm(names: readonly SettingName[], fields: URLSearchParams): Record<string, unknown> {
  const values = names.map((name) => [name, read(settingField(name), fields)] as const);
  return Object.fromEntries(values.map(([name, value]) => [name, isDefault(name, value) ? undefined : value]));
}

/** Returns a version of some settings, which detects later changes. */
export function versionOf(names: readonly SettingName[], settings: Settings): string {
  const text = JSON.stringify(writeSettings(names, settings));
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function isDefault(name: SettingName, value: unknown): boolean {
  const field = settingField(name);
  return JSON.stringify(write(field, value)) === JSON.stringify(write(field, defaultSettings[name]));
}

function write({ name, field }: NamedField, value: unknown): Pairs {
  switch (field.kind) {
    case 'switch':
      return value === true ? [[name, ticked]] : [];
    case 'lines':
      return [[name, Array.isArray(value) ? value.join('\n') : '']];
    case 'json':
      return [[name, JSON.stringify(value, undefined, 2)]];
    case 'group':
      return field.fields.flatMap((part) => write(part, partOf(value, lastOf(part.name))));
    case 'table':
      return cellsOf(field).map(({ column, row }) => [
        cellName(name, column, row),
        textOf(partOf(partOf(value, column), row)),
      ]);
    default:
      return [[name, textOf(value)]];
  }
}

function read({ name, field }: NamedField, fields: URLSearchParams): unknown {
  const text = fields.get(name) ?? '';
  switch (field.kind) {
    case 'switch':
      return text === ticked;
    case 'number':
      return readNumber(text.trim(), field.nullable);
    case 'choice':
      return text === '' && field.nullable ? null : text;
    case 'text':
      return text.trim() === '' && field.nullable ? null : text;
    case 'lines':
      return text.split(/\r?\n/).filter((line) => line.trim() !== '');
    case 'json':
      return readJson(text);
    case 'group':
      return Object.fromEntries(field.fields.map((part) => [lastOf(part.name), read(part, fields)]));
    case 'table':
      return readTable(name, field, fields);
  }
}

/** A text that is not JSON is left for the schema to reject. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readNumber(text: string, nullable: boolean): number | null {
  if (text === '') return nullable ? null : Number.NaN;
  return /^-?\d*\.?\d+(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

function readTable(name: string, field: TableField, fields: URLSearchParams): Record<string, Record<string, string>> {
  const table: Record<string, Record<string, string>> = {};
  for (const { column, row } of cellsOf(field)) {
    const text = fields.get(cellName(name, column, row)) ?? '';
    if (text !== '') table[column] = { ...table[column], [row]: text };
  }
  return table;
}

type TableField = Extract<Field, { kind: 'table' }>;

function cellName(name: string, column: string, row: string): string {
  return `${name}.${column}.${row}`;
}

function cellsOf({ columns, rows }: TableField) {
  return rows.flatMap((row) => columns.map((column) => ({ column, row })));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
