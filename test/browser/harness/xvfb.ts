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
 * Returns the DISPLAY of an X screen of this size. It is shared by this Node process and ends with it. Xvfb picks a
 * free number and reports it on file descriptor 3.
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
  // Its output is discarded, because a full pipe would block it.
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
