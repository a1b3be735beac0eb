import type { Customer } from './customer.js';

export const path = '/v2/user/import';

/** Outcome of a row. */
export interface Result {
  readonly id: string;
  readonly status: string;
  readonly errors?: readonly { path: string; message: string }[];
}

/** Returns what imports users with the key that the test has now, and reads them. */
export function importsOf(customer: () => Customer) {
  const run = async (...users: unknown[]): Promise<Result[]> => (await customer().ask(path, { users })).results;
  const exported = async (user: string) => (await customer().get(`/v2/user/${user}/export`)).body;

  return { run, exported };
}
