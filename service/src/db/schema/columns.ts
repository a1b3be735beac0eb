import type { ColumnType, JSONColumnType } from 'kysely';

/** JSON that is written as text and read as what it is. */
export type Json<Value extends object> = JSONColumnType<Value>;
/** Written as a time, read as one; never left to the database's clock. */
export type Time = ColumnType<Date, Date, Date>;
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** Sealed, hashed or marked: see crypto/. */
export type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
export type OptionalBytes = ColumnType<Uint8Array | null, Uint8Array | null | undefined, Uint8Array | null>;
export type OptionalText = ColumnType<string | null, string | null | undefined, string | null>;
