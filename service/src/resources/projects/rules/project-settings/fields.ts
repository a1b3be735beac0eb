import { z } from 'zod';
import { settingsSchema } from '../settings.js';

/** Form field of a value. A `nullable` field can be left empty. */
export type Field =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[]; readonly nullable: boolean }
  | {
      readonly kind: 'number';
      readonly whole: boolean;
      readonly min: number;
      readonly max: number;
      readonly nullable: boolean;
    }
  | { readonly kind: 'text'; readonly isAddress: boolean; readonly max: number | null; readonly nullable: boolean }
  | { readonly kind: 'lines' }
  /** List of objects, as JSON. */
  | { readonly kind: 'json' }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly string[];
      readonly options: readonly string[];
    }
  | { readonly kind: 'group'; readonly fields: readonly NamedField[] };

export interface NamedField {
  /** Full name, such as `device_limit.overall`. */
  readonly name: string;
  /** Description, with names in backticks. */
  readonly description: string;
  readonly field: Field;
}

export type SettingName = keyof typeof settingsSchema.shape;

export const settingNames: readonly SettingName[] = settingsSchema.keyof().options;

/**
 * Returns a setting as a form field, derived from the schema. A new setting therefore appears on the dashboard and in
 * docs/settings.md automatically.
 */
export function settingField(name: SettingName): NamedField {
  return namedField(name, settingsSchema.shape[name]);
}

function namedField(name: string, schema: unknown): NamedField {
  const { inner, nullable } = unwrap(schema);
  return { name, description: descriptionOf(schema), field: fieldOf(name, inner, nullable) };
}

function fieldOf(name: string, schema: unknown, nullable: boolean): Field {
  if (schema instanceof z.ZodBoolean && !nullable) return { kind: 'switch' };
  if (schema instanceof z.ZodEnum) return { kind: 'choice', options: optionsOf(schema), nullable };
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue, isInt } = schema;
    if (minValue !== null && maxValue !== null) {
      return { kind: 'number', whole: isInt, min: minValue, max: maxValue, nullable };
    }
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodURL) {
    return { kind: 'text', isAddress: schema instanceof z.ZodURL, max: schema.maxLength, nullable };
  }
  if (schema instanceof z.ZodArray && unwrap(schema.element).inner instanceof z.ZodString) return { kind: 'lines' };
  if (schema instanceof z.ZodArray) return { kind: 'json' };
  if (schema instanceof z.ZodRecord) return tableOf(name, schema);
  if (schema instanceof z.ZodObject) {
    return {
      kind: 'group',
      fields: Object.entries(schema.shape).map(([key, part]) => namedField(`${name}.${key}`, part)),
    };
  }
  throw new Error(`The type of the setting "${name}" has no form field.`);
}

/** Returns a table for a record of records with known names and a set of values for each cell. */
function tableOf(name: string, { keyType, valueType }: z.ZodRecord): Field {
  if (
    keyType instanceof z.ZodEnum &&
    valueType instanceof z.ZodRecord &&
    valueType.keyType instanceof z.ZodEnum &&
    valueType.valueType instanceof z.ZodEnum
  ) {
    const [columns, rows, options] = [keyType, valueType.keyType, valueType.valueType].map(optionsOf);
    if (columns && rows && options) return { kind: 'table', columns, rows, options };
  }
  throw new Error(`The type of the setting "${name}" has no form field.`);
}

function optionsOf({ options }: z.ZodEnum): string[] {
  return options.map(String);
}

/** Returns the schema inside defaults, and whether null is allowed. */
function unwrap(schema: unknown): { inner: unknown; nullable: boolean } {
  if (schema instanceof z.ZodNullable) return { inner: unwrap(schema.unwrap()).inner, nullable: true };
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return unwrap(schema.unwrap());
  return { inner: schema, nullable: false };
}

function descriptionOf(schema: unknown): string {
  return schema instanceof z.ZodType ? (schema.description ?? '') : '';
}
