import { expect, test } from 'vitest';
import { download } from '../../../src/dashboard/download.js';

test('a download reads no more than its client, and ends when the client goes', async () => {
  let produced = 0;
  let ended = false;
  async function* endless() {
    try {
      for (;;) {
        produced += 1;
        yield `${produced}\n`;
      }
    } finally {
      ended = true;
    }
  }
  const reader = download({ parts: endless(), name: 'a.csv', type: 'text/csv' }).body?.getReader();
  const read = await reader?.read();
  expect(new TextDecoder().decode(read?.value)).toBe('1\n');
  expect(produced).toBeLessThan(4);
  await reader?.cancel();
  expect(ended).toBe(true);
});
