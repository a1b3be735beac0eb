import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Reads the WebGL extensions that depend on the driver and not on the version of the browser, such as formats of
 * textures.
 *
 * Sorted, because their order does not depend on the device. From Chromium 106 to 156, these did not change, while 14
 * other extensions of WebGL 2 were added, and one was removed.
 */
export function glExtensions({ webgl }: ReadingContext): ReadingValue | undefined {
  return webgl()
    ?.getSupportedExtensions()
    ?.filter((name) => /float|compress|filter|multi[_v]|indexed/.test(name))
    .sort();
}
