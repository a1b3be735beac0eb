import { setTimeout as pause } from 'node:timers/promises';
import { query } from './postgresql.mjs';

/**
 * Waits until the service has counted all evaluations by hour, which it does in the background.
 *
 * @param {string} url Of the database.
 * @returns {Promise<number>} Seconds from now.
 */
export async function waitUntilCounted(url) {
  const start = performance.now();
  for (;;) {
    const [row] = await query(
      url,
      `select 1 from activity_folds where source = 'evaluations' and until > now() - interval '1 hour'`,
    );
    if (row) return (performance.now() - start) / 1000;
    await pause(250);
  }
}
