import { validate } from 'uuid';

/** An id in an address; undefined where it is none. */
export function idIn(text: string | null | undefined): string | undefined {
  return text && validate(text) ? text : undefined;
}
