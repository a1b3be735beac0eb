import { capitalised } from '../../../../ground/text-rules.js';

const words: Readonly<Record<string, string>> = { url: 'URL', email: 'email' };

/** Returns the label of a field: "Users per device" for `users_per_device`. */
export function labelOf(name: string): string {
  const own = name.slice(name.lastIndexOf('.') + 1);
  const text = own
    .split('_')
    .map((word) => words[word] ?? word)
    .join(' ');
  return capitalised(text);
}
