import { z } from 'zod';

/** `true` or `false`. */
export const flag = (value: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .default(value);

/** A whole number between two others, or a default. */
export const wholeNumber = (minimum: number, maximum: number, value: number) => {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number({ error }).int({ error }).min(minimum, { error }).max(maximum, { error }).default(value);
};

/** An address with one of several schemes. */
export const address = (schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
    error: `must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  });
