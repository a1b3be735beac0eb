import { attempt } from '../attempt.js';

/** Looks for one sign. Returns whether it was found, and anything else if it cannot tell. */
type Check = () => unknown;

/**
 * Returns what each check found. A check that throws, or that returns anything but a boolean, hides nothing that the
 * others find: its result is '', which `judgeIntegrity` counts as `unreadable_check`.
 */
export function runChecks(checks: readonly Check[]): (boolean | '')[] {
  return checks.map((check) => {
    const found = attempt(check);
    return typeof found === 'boolean' ? found : '';
  });
}
