import { describe } from 'vitest';
import { chromium } from './chromium';
import { firefox } from './firefox';
import type { Engine } from './types';
import { webkit } from './webkit';

export const engines: Engine[] = [chromium, firefox, webkit];

/** Describes the same tests for each engine, or some. One that is not installed is skipped, and counted as skipped. */
export function describeEngines(title: string, body: (engine: Engine) => void, among = engines): void {
  for (const engine of among) {
    describe.skipIf(!engine.available())(`${title}, ${engine.name}`, () => body(engine));
  }
}
