/**
 * The folder with PostgreSQL's `initdb` and `postgres`, of the newest version there is; undefined if there is none.
 * WHORL_POSTGRESQL, if set, names the folder instead.
 */
export function findPostgresql(): string | undefined;
