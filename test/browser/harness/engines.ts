import { describe } from 'vitest';
import { chromium } from './chromium';
import { firefox } from './firefox';
import type { Engine } from './types';
import { webkit } from './webkit';

export const engines: Engine[] = [chromium, firefox, webkit];

/** Describes the same tests for each engine. One that is not installed is skipped, and counted as skipped. */
export function describeEngines(title: string, body: (engine: Engine) => void): void {
  for (const engine of engines) {
    describe.skipIf(!engine.available())(`${title}, ${engine.name}`, () => body(engine));
  }
}
