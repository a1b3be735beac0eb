import type { Position, TestPage } from './types';

/** Returns the middle of the first element that a selector finds, in CSS pixels of the viewport. */
export function middleOf(page: TestPage, selector: string): Promise<Position> {
  return page.evaluate((wanted: string) => {
    const box = document.querySelector(wanted)?.getBoundingClientRect();
    if (!box) throw new Error(`Nothing on the page is ${wanted}`);
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    if (middle.x < 0 || middle.y < 0 || middle.x > innerWidth || middle.y > innerHeight) {
      throw new Error(`${wanted} is not in view`);
    }
    return middle;
  }, selector);
}
