import { withClient } from '../service/postgresql.mjs';

const listTables = `select quote_ident(relname) as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`;

/** Returns a digest of the rows of each table. @param {string} url @returns {Promise<Map<string, string>>} */
export function digestTables(url) {
  return withClient(url, async (client) => {
    const digests = new Map();
    for (const { name } of (await client.query(listTables)).rows) {
      const digest = `select md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as digest from ${name} t`;
      digests.set(name, (await client.query(digest)).rows[0]?.digest);
    }
    return digests;
  });
}

/** Returns the tables whose digests differ. @param {ReadonlyMap<string, string>} one @param {ReadonlyMap<string, string>} other */
export function changedTables(one, other) {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

/** Returns the tables that contain a text. @param {string} url @param {string} text @returns {Promise<string[]>} */
export function tablesWith(url, text) {
  return withClient(url, async (client) => {
    const found = [];
    for (const { name } of (await client.query(listTables)).rows) {
      const { rowCount } = await client.query(`select 1 from ${name} t where t::text like $1 limit 1`, [`%${text}%`]);
      if (rowCount) found.push(name);
    }
    return found;
  });
}
