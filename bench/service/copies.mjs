import { query } from './postgresql.mjs';

/**
 * Returns the start of a statement that adds copies of evaluations: an insert of all columns, and a select. What follows
 * `from` must give a row of `evaluations` the name `alias`.
 *
 * @param {string} url
 * @param {string} alias
 * @param {Readonly<Record<string, string>>} own SQL for the columns that are not copied.
 * @returns {Promise<string>}
 */
export async function insertCopies(url, alias, own) {
  const rows = await query(
    url,
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = 'evaluations' order by ordinal_position`,
  );
  const names = rows.map(({ name }) => String(name));
  return `insert into evaluations (${names.join(', ')})
    select ${names.map((name) => own[name] ?? `${alias}.${name}`).join(', ')}`;
}
