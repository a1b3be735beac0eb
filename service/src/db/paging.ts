import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema/index.js';

/** Which page of a list, counted from 1. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** A span of time; both ends belong to it. */
export interface Period {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

export interface PageOfRows<Row> {
  readonly rows: Row[];
  /** How many match in all. */
  readonly total: number;
}

type Listed = 'challenges' | 'devices' | 'evaluations';

/** A page of the rows that match, newest first, and how many match in all. */
export async function readPage<Table extends Listed>(
  matching: SelectQueryBuilder<Schema, Table, object>,
  { page, limit }: PageRequest,
) {
  const rows = await matching
    .selectAll()
    .orderBy(sql`created_at`, 'desc')
    .orderBy(sql`id`, 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const { total } = await matching
    .select((builder) => builder.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}
