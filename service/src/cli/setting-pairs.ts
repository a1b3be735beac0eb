import { InvalidArgumentError } from 'commander';
import { OperatorError } from '../operator-error.js';
import type { Settings } from '../projects/rules/settings.js';
import { parseJson } from './options.js';

export type SettingPairs = Partial<Record<keyof Settings, unknown>>;

/** Names of settings and their values as JSON, by turns. @throws OperatorError for what is none of them. */
export async function readPairs(words: readonly string[]): Promise<SettingPairs> {
  const pairs: SettingPairs = {};
  for (let index = 0; index < words.length; index += 2) {
    const [name = '', json] = words.slice(index);
    if (json === undefined) throw new OperatorError(`The value of ${name} is missing.`);
    try {
      pairs[await knownName(name)] = parseJson(json);
    } catch (error) {
      // Commander says it itself of the arguments that it parses.
      throw error instanceof InvalidArgumentError ? new OperatorError(`${name}: ${error.message}`) : error;
    }
  }
  return pairs;
}

/** @throws OperatorError if there is no such setting. */
export async function knownName(name: string): Promise<keyof Settings> {
  const { settingsSchema } = await import('../projects/rules/settings.js');
  const known = settingsSchema.keyof().safeParse(name);
  if (known.success) return known.data;
  throw new OperatorError(`There is no setting "${name}": "settings get" shows all.`);
}
