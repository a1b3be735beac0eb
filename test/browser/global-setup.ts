import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Checks that the package is built, because the browser tests use the built files. */
export default function setup(): void {
  for (const name of ['index.js', 'whorl.min.js']) {
    const file = fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
    if (!existsSync(file)) throw new Error(`dist/${name} is missing: run npm run build first`);
  }
}
