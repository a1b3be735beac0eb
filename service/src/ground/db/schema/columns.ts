import type { ColumnType, JSONColumnType } from 'kysely';

/** JSON that is written as text and read as parsed values. */
export type Json<Value extends object> = JSONColumnType<Value>;
export type OptionalJson<Value extends object> = ColumnType<Value | null, string | null, string | null>;
/** Timestamp set by the service, never by the database's clock. */
export type Time = ColumnType<Date, Date, Date>;
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** Sealed or hashed value: see crypto/. */
export type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
export type OptionalBytes = ColumnType<Uint8Array | null, Uint8Array | null | undefined, Uint8Array | null>;
export type OptionalText = ColumnType<string | null, string | null | undefined, string | null>;
