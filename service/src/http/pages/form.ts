import type { Context } from 'hono';
import { ApiError } from '../../errors.js';
import { readText } from '../body.js';

/** The forms of most pages have a few short fields. */
const usualLimitBytes = 8 * 1024;

/**
 * Reads the fields of a form: 8 KiB at most, unless told otherwise.
 *
 * @throws {ApiError} `too_large`, `unsupported_media_type`, `invalid_request`
 */
export async function readForm(c: Context, limitBytes = usualLimitBytes): Promise<URLSearchParams> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new ApiError('unsupported_media_type', { detail: 'Send a form.' });
  }
  return new URLSearchParams(await readText(c, limitBytes));
}
