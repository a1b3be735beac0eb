import { lastId } from '../../ground/db/position-rules.js';
import { giveWay, isQuiet } from '../../ground/give-way.js';
import type { Database } from '../../resources/service.js';
import { type BatchRow, readBatch, type Wanted } from './evaluation-queries.js';

/** Few, because their results are read in one turn of the event loop. */
const batchSize = 200;
/** Fewer while requests arrive: collecting garbage stops the process for a time that grows with the rows in memory. */
const batchSizeBesideRequests = 40;

/** Yields evaluations in batches, the newest first. The next batch is read while one is worked on. */
export async function* readBatches(db: Database, wanted: Wanted): AsyncGenerator<readonly BatchRow[]> {
  const read = async (before: string) => {
    const limit = isQuiet() ? batchSize : batchSizeBesideRequests;
    const rows = await readBatch(db, wanted, { before, limit });
    return { rows, isLast: rows.length < limit };
  };
  let reading = read(lastId);
  for (;;) {
    const { rows, isLast } = await reading;
    const last = rows.at(-1);
    if (!last) return;
    if (isLast) return yield rows;
    await giveWay();
    reading = read(last.id);
    // The reader may stop before this batch.
    reading.catch(() => undefined);
    yield rows;
  }
}
