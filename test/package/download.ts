import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Downloads a package, such as `clientjs@0.2.1`, and unpacks it without running its scripts. Returns its folder. */
export async function download(packed: string, folder: string): Promise<string> {
  const { stdout } = await execute('npm', ['pack', '--silent', '--pack-destination', folder, packed]);
  const unpacked = join(folder, packed.replaceAll(/[@/]/g, '_'));
  mkdirSync(unpacked);
  await execute('tar', ['-xzf', join(folder, stdout.trim()), '-C', unpacked, '--strip-components', '1']);
  return unpacked;
}
