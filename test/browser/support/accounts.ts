import type { Account } from './playground';

let users = 0;

/** Returns an account that is unknown to the service. */
export function newAccount(): Account {
  const id = `account-${++users}`;
  return { id, email: `${id}@example.com` };
}
