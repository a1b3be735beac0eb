/**
 * Options of Node for processes with an embedded database, which is then compiled once: processes of tests are too short
 * for optimised code to pay off.
 */
export const engineOptions: readonly string[] = ['--liftoff-only'];
