// Refuses a measurement of a build that is missing, or older than its sources: its figures would be of another commit.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each build: its sources, a file that it writes last, and the command. */
const builds = {
  package: { sources: 'src', built: 'dist/index.js', command: 'npm run build' },
  service: { sources: 'service/src', built: 'service/dist/main.js', command: 'npm run --workspace service build' },
};

/**
 * @param {readonly (keyof typeof builds)[]} names
 * @throws {Error} that names the command to run.
 */
export function assertBuilt(...names) {
  for (const name of names) {
    // Another build was chosen, for example to compare the two.
    if (name === 'service' && process.env.WHORL_SERVICE_MAIN) continue;
    const { sources, built, command } = builds[name];
    if (!existsSync(root + built)) throw new Error(`The ${name} is not built. Run "${command}" first.`);
    if (statSync(root + built).mtimeMs >= newestIn(sources)) continue;
    throw new Error(`The build of the ${name} is older than ${sources}. Run "${command}" first.`);
  }
}

/** @param {string} folder */
function newestIn(folder) {
  const files = readdirSync(root + folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Math.max(...files.map(({ parentPath, name }) => statSync(`${parentPath}/${name}`).mtimeMs));
}
