import type { TestPage } from '../harness/types';

/**
 * Runs a script in a frame of the page, loads the package there and returns what a call of it resolves to. In a frame,
 * the script changes nothing that the test itself uses.
 *
 * @param url of an empty page on the origin of the package's files.
 * @param script a function that uses nothing from outside, or JavaScript.
 * @param call JavaScript that runs in the frame. It must resolve to texts or lists of texts.
 */
export async function callAfter<Result>(
  page: TestPage,
  url: string,
  script: string | (() => void),
  call: string,
): Promise<Result> {
  await page.goto(url);
  return page.evaluate(
    async (source, expression) => {
      const frame = document.createElement('iframe');
      frame.src = '/blank.html';
      await new Promise((resolve) => {
        frame.onload = resolve;
        document.body.append(frame);
      });
      const inside = frame.contentWindow as (Window & typeof globalThis) | null;
      if (!inside) throw new Error('The frame has no window');
      // Taken first, because the script may replace them.
      const tag = inside.document.createElement('script');
      const { head } = inside.document;
      // A busy machine can take longer for IndexedDB than the package's 200 ms.
      const start = inside.setTimeout;
      const patient = (act: () => void, ms?: number) => start(act, ms === 25 ? 10_000 : ms);
      inside.Object.defineProperty(inside, 'setTimeout', { value: patient, configurable: true, writable: true });
      inside.eval(source);
      tag.src = '/dist/whorl.min.js';
      await new Promise((resolve, reject) => {
        tag.onload = resolve;
        tag.onerror = () => reject(new Error('The script did not load'));
        head.append(tag);
      });
      return inside.eval(`(async () => ${expression})()`);
    },
    typeof script === 'string' ? script : `(${script})()`,
    call,
  );
}
