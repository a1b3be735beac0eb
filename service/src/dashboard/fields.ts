import { ApiError } from '../errors.js';

/** @throws {ApiError} `invalid_request`, where a form has none of these. */
export function choiceIn<Choice extends string>(
  fields: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((each) => each === fields.get(name));
  if (choice !== undefined) return choice;
  throw new ApiError('invalid_request', { detail: `The form has no ${name.replaceAll('_', ' ')} that there is.` });
}
