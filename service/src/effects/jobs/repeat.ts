const batchSize = 500;

/** Deletes in batches, so that locks are short, until a batch is not full. */
export async function repeatUntilDone(remove: (limit: number) => Promise<number>): Promise<void> {
  while ((await remove(batchSize)) === batchSize);
}
