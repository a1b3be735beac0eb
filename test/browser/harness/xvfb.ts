import { once } from 'node:events';
import { found } from './found';
import { startTethered, type TetheredProcess } from './tethered-process';
import type { Size } from './types';
import { within } from './until';

export const DEFAULT_SCREEN: Size = { width: 1920, height: 1080 };

interface Screen {
  process: TetheredProcess;
  display: string;
}

const screens = new Map<string, Promise<Screen>>();

/**
 * The DISPLAY of an X screen of this size. One is shared by all of this Node process, and ends with it.
 * Xvfb picks its own free number and tells it on file descriptor 3.
 */
export async function xDisplay(size: Size = DEFAULT_SCREEN): Promise<string> {
  const key = `${size.width}x${size.height}`;
  let starting = screens.get(key);
  if (!starting || !(await starting).process.running()) {
    starting = start(key);
    screens.set(key, starting);
    starting.catch(() => screens.delete(key));
  }
  return (await starting).display;
}

async function start(size: string): Promise<Screen> {
  const process = startTethered(found('xvfb'), ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp']);
  // Nobody reads what it says, and a full pipe would stop it.
  process.stdout.resume();
  process.stderr.resume();
  try {
    const [number] = await within('The start of Xvfb', 15_000, once(process.report, 'data'));
    return { process, display: `:${String(number).trim()}` };
  } catch (error) {
    await process.end();
    throw error;
  }
}
