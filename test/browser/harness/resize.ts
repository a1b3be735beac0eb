import type { Size, TestPage } from './types';
import { until } from './until';

/**
 * Sets the window's outer size so that the page's inner size becomes the wanted one, and waits until the page has it.
 */
export async function resizeBy(
  page: TestPage,
  wanted: Size,
  setOuterSize: (size: Size) => Promise<void>,
): Promise<void> {
  let frame: Size | undefined;
  await until(`A page of ${wanted.width} × ${wanted.height}`, async () => {
    const [innerWidth, innerHeight, outerWidth, outerHeight] = await page.evaluate<[number, number, number, number]>(
      '[innerWidth, innerHeight, outerWidth, outerHeight]',
    );
    if (innerWidth === wanted.width && innerHeight === wanted.height) return true;
    // The frame is read again each time, because toolbars can appear and disappear with the window's size.
    const now = { width: outerWidth - innerWidth, height: outerHeight - innerHeight };
    if (frame?.width !== now.width || frame.height !== now.height) {
      frame = now;
      await setOuterSize({ width: wanted.width + now.width, height: wanted.height + now.height });
    }
    return undefined;
  });
}
