import type { Size, TestPage } from './types';
import { until } from './until';

/** A window whose sizes were the same so often does not change by itself any more. */
const SETTLED_AFTER = 5;

/**
 * Sets the window's outer size so that the page's inner size becomes the wanted one, and waits until both are as they were
 * asked for. The page can learn of the two at different times, and toolbars can appear and disappear with the window's size.
 */
export async function resizeBy(
  page: TestPage,
  wanted: Size,
  setOuterSize: (size: Size) => Promise<void>,
): Promise<void> {
  let asked: Size | undefined;
  let last: [inner: Size, outer: Size] | undefined;
  let unchanged = 0;
  await until(`A page of ${wanted.width} × ${wanted.height}`, async () => {
    const [inner, outer] = await sizesOf(page);
    if (isSame(inner, wanted) && isSame(outer, asked ?? outer)) return true;
    unchanged = last && isSame(inner, last[0]) && isSame(outer, last[1]) ? unchanged + 1 : 0;
    last = [inner, outer];
    if (asked && unchanged < SETTLED_AFTER) return undefined;
    // Chromium lets a page be narrower than its narrowest window.
    if (isSame(inner, wanted)) return true;
    asked = {
      width: wanted.width + outer.width - inner.width,
      height: wanted.height + outer.height - inner.height,
    };
    unchanged = 0;
    await setOuterSize(asked);
    return undefined;
  });
}

async function sizesOf(page: TestPage): Promise<[inner: Size, outer: Size]> {
  const [innerWidth, innerHeight, outerWidth, outerHeight] = await page.evaluate<[number, number, number, number]>(
    '[innerWidth, innerHeight, outerWidth, outerHeight]',
  );
  return [
    { width: innerWidth, height: innerHeight },
    { width: outerWidth, height: outerHeight },
  ];
}

function isSame(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}
