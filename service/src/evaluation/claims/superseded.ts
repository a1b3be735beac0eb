import { ApiError } from '../../ground/errors.js';

/** Returns the error for an evaluation from before the device or the user was revoked. */
export function superseded(): ApiError {
  return new ApiError('evaluation_superseded', {
    detail: 'The device or the user has since been detached, blocked, suspended or deleted. Evaluate the action again.',
  });
}
