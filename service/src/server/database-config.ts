import { z } from 'zod';
import { address, flag, wholeNumber } from './variables.js';

const postgresql = address(['postgres:', 'postgresql:']);

/** Environment variables that choose the database. */
export const databaseVariables = {
  DATABASE_URL: postgresql.optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 500, 10),
  DATABASE_POOLER: flag(false),
  DATABASE_DIRECT_URL: postgresql.optional(),
  DATABASE_WAIT_SECONDS: wholeNumber(0, 86_400, 60),
  DATABASE_REPLICA_URL: postgresql.optional(),
  DATABASE_REPLICA_MAX_LAG_SECONDS: wholeNumber(1, 300, 10),
  DATA_FOLDER: z.string().default('./data'),
};

type DatabaseVariables = z.output<z.ZodObject<typeof databaseVariables>>;

export type DatabaseConfig =
  | { readonly kind: 'embedded'; readonly folder: string }
  | {
      readonly kind: 'postgresql';
      readonly url: string;
      readonly poolSize: number;
      readonly pooler: boolean;
      readonly directUrl: string | undefined;
      readonly waitMs: number;
      /** Standby for reads. */
      readonly replica: { readonly url: string; readonly maxLagMs: number } | undefined;
    };

export function databaseFrom(data: DatabaseVariables): DatabaseConfig {
  if (!data.DATABASE_URL) return { kind: 'embedded', folder: data.DATA_FOLDER };
  return {
    kind: 'postgresql',
    url: data.DATABASE_URL,
    poolSize: data.DATABASE_POOL_SIZE,
    pooler: data.DATABASE_POOLER,
    directUrl: data.DATABASE_DIRECT_URL,
    waitMs: data.DATABASE_WAIT_SECONDS * 1000,
    replica: data.DATABASE_REPLICA_URL
      ? { url: data.DATABASE_REPLICA_URL, maxLagMs: data.DATABASE_REPLICA_MAX_LAG_SECONDS * 1000 }
      : undefined,
  };
}

/** Returns errors for variables that contradict each other. */
export function databaseConflicts(data: DatabaseVariables): string[] {
  const { DATABASE_URL, DATABASE_REPLICA_URL } = data;
  if (!DATABASE_URL) return conflictsWithEmbedded(data);
  if (!DATABASE_REPLICA_URL) return [];
  return DATABASE_REPLICA_URL === DATABASE_URL
    ? ['DATABASE_REPLICA_URL must differ from DATABASE_URL: set it to the address of a standby, or remove it.']
    : [];
}

/** A missing or misspelt DATABASE_URL would start the service on an empty embedded database. */
function conflictsWithEmbedded(data: DatabaseVariables): string[] {
  return [
    ...(data.DATABASE_POOLER ? ['DATABASE_POOLER needs DATABASE_URL, the address of the pooler.'] : []),
    ...(data.DATABASE_DIRECT_URL ? ['DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler.'] : []),
    ...(data.DATABASE_REPLICA_URL ? ['DATABASE_REPLICA_URL needs DATABASE_URL, the address of its primary.'] : []),
  ];
}
