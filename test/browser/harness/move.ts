import type { Position, TestPage } from './types';
import { until } from './until';

/** Moves the window and waits until the page reports the new position. */
export async function moveWith(
  page: TestPage,
  wanted: Position,
  setPosition: (position: Position) => Promise<void>,
): Promise<void> {
  await setPosition(wanted);
  await until(`A window at ${wanted.x}, ${wanted.y}`, async () => {
    const [x, y] = await page.evaluate<[number, number]>('[screenX, screenY]');
    return (x === wanted.x && y === wanted.y) || undefined;
  });
}
