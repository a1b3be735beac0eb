import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema/index.js';

/** Page of a list, counted from 1. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** Period of time, including both ends. */
export interface Period {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

export interface PageOfRows<Row> {
  readonly rows: Row[];
  /** Total number of matching rows. */
  readonly total: number;
}

type Listed = 'challenges' | 'devices' | 'evaluations';

/** Returns a page of the matching rows, newest first, and the total number of matching rows. */
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
