import { InvalidArgumentError, Option } from 'commander';

/** The project that a command is about. The first start makes the default one. */
export const projectOption = () => new Option('--project <name or id>', 'which project').default('default');

/** For an option that takes a number, 0 or more. */
export function parseHours(text: string): number {
  const hours = Number(text);
  if (!text.trim() || !Number.isFinite(hours) || hours < 0) throw new InvalidArgumentError('It is no number of hours.');
  return hours;
}

/** For an argument that takes JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It is not JSON; a text needs quotes of its own, such as \'"enforce"\'.');
  }
}

/** For an option that takes a moment, such as `2026-01-02` (UTC) or `2026-01-02T03:04:05Z`. */
export function parseTime(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : undefined;
  if (!time || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('It is no time, such as 2026-01-02 or 2026-01-02T03:04:05Z.');
  }
  return time;
}
