import { ApiError } from '../errors.js';

/** Returns the error for what was judged before the device or the user was revoked. */
export function superseded(): ApiError {
  return new ApiError('evaluation_superseded', {
    detail: 'The device or the user was detached, blocked, suspended or deleted since. Evaluate the action again.',
  });
}
