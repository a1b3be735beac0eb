import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { TestPage } from '../harness/types';
import { until } from '../harness/until';

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Returns the problems that axe finds in the page with all details expanded, one line per element. */
export async function violations(page: TestPage): Promise<string[]> {
  await page.evaluate(`(() => { ${await readFile(axeFile, 'utf8')} })()`);
  return page.evaluate(async () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`),
    );
  });
}

/**
 * Presses Tab from the top of a page, once per operable element. Returns all operable elements in document order, those
 * that Tab reached in that order, and those whose focus was not visible.
 */
export async function tabThrough(page: TestPage): Promise<{ all: string[]; reached: string[]; unseen: string[] }> {
  const { all } = await page.evaluate(look);
  const reached: string[] = [];
  const unseen: string[] = [];
  for (const _ of all) {
    await page.press('Tab');
    const { focused } = await page.evaluate(look);
    reached.push(focused);
    // WebKit scrolls to a text field with a delay.
    const seen = until('A visible focus', async () => (await page.evaluate(look)).isVisible || undefined);
    await seen.catch(() => unseen.push(focused));
  }
  return { all, reached, unseen };
}

/** Presses Tab until the element with this name has the focus, e.g. `button Copy`. */
export async function tabTo(page: TestPage, name: string): Promise<void> {
  const { all } = await page.evaluate(look);
  for (const _ of all) {
    await page.press('Tab');
    if ((await page.evaluate(look)).focused.includes(name)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

/**
 * Runs in the page and returns its operable elements and the focused one. The focus is visible if the element is in
 * view and has an outline with a contrast of 3:1 to its background (https://www.w3.org/TR/WCAG22/#non-text-contrast).
 */
function look(): { all: string[]; focused: string; isVisible: boolean } {
  // Tab reaches only the selected radio button of a group. The arrow keys move on from there.
  const selector =
    'a[href], button, input:not([type="radio"]:not(:checked)), select, textarea, summary, iframe, [tabindex]:not([tabindex^="-"]), [contenteditable]';
  const elements = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [inert] *'),
  );
  const all = elements.map((element, index) => {
    const text = element.ariaLabel || element.id || element.textContent?.trim().slice(0, 30);
    return `${index} ${element.localName} ${text}`;
  });

  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = channels(color).map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element | null): string => {
    if (!element) return 'rgb(255, 255, 255)';
    const color = getComputedStyle(element).backgroundColor;
    return channels(color)[3] === 0 ? behind(element.parentElement) : color;
  };
  const isOutlined = (element: Element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const [dark = 0, light = 0] = [outlineColor, behind(element.parentElement)].map(luminance).sort((a, b) => a - b);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && (light + 0.05) / (dark + 0.05) >= 3;
  };
  const isInView = (element: Element) => {
    const { left, right, top, bottom } = element.getClientRects()[0] ?? element.getBoundingClientRect();
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const shown = document.elementFromPoint(x, y);
    return element.contains(shown);
  };

  const focused = document.activeElement;
  return {
    all,
    focused: all.find((_, index) => elements[index] === focused) ?? `something else: ${focused?.localName}`,
    isVisible: focused !== null && isOutlined(focused) && isInView(focused),
  };
}
