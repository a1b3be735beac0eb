export function pgbouncerVersion(): string | undefined;
export function startPgbouncer(
  server: string,
  options?: {
    readonly poolSize?: number;
    readonly settings?: Readonly<Record<string, string | number>>;
  },
): Promise<{ url(database: string): string; stop(): Promise<void> }>;
