/**
 * Returns the folder with `initdb` and `postgres` of the newest installed PostgreSQL; undefined if there is none.
 * WHORL_POSTGRESQL, if set, names the folder instead.
 */
export function findPostgresql(): string | undefined;
/** Returns whether Citus is installed for the PostgreSQL whose programs are in a folder. */
export function hasCitus(programs: string): boolean;
