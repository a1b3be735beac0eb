import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs packages on Debian-based systems, as root or with sudo without a password, and prints what it does.
 *
 * @param {(() => string[])[]} attempts Each returns the packages that are still needed when it is called, because
 *   another system may know a package under another name.
 */
export function installPackages(attempts) {
  const elevate = elevation();
  if (!elevate) {
    console.log('Packages cannot be installed: this needs apt-get, and root or sudo without a password.');
    return;
  }
  updateLists(elevate);
  for (const attempt of attempts) {
    const names = attempt();
    if (names.length > 0) install(elevate, names);
  }
}

/**
 * Downloads a package of a Debian-based system and unpacks it into a folder. It is not installed: it starts no service,
 * and brings no other packages, such as fonts.
 *
 * @param {string} name
 * @param {string} folder
 */
export function unpackPackage(name, folder) {
  mkdirSync(folder, { recursive: true });
  const download = () => run('apt-get', ['download', name], { cwd: folder });
  const elevate = elevation();
  if (!download()) {
    if (!elevate) return;
    updateLists(elevate);
    if (!download()) return;
  }
  const file = readdirSync(folder).find((each) => each.endsWith('.deb'));
  if (file) run('dpkg-deb', ['--extract', join(folder, file), folder]);
}

function updateLists(elevate) {
  console.log('Updating the package lists with apt-get update.');
  if (!run(...elevate('apt-get', 'update')))
    console.log('apt-get update failed. Continuing with the existing package lists.');
}

function install(elevate, packages) {
  console.log(`Installing ${packages.join(', ')} with apt-get.`);
  const together = run(...elevate('apt-get', 'install', '-y', '--no-install-recommends', ...packages));
  if (together || packages.length === 1) return;
  // Installed one by one, because one unknown name would make the whole command fail.
  for (const each of packages) run(...elevate('apt-get', 'install', '-y', '--no-install-recommends', each));
}

/** Returns how to run a command as root, or undefined if it is not possible. */
function elevation() {
  if (!succeeds('apt-get', ['--version'])) return undefined;
  const environment = 'DEBIAN_FRONTEND=noninteractive';
  if (process.getuid?.() === 0) return (...command) => ['env', [environment, ...command]];
  if (succeeds('sudo', ['-n', 'true'])) return (...command) => ['sudo', ['-n', environment, ...command]];
  return undefined;
}

/** Runs a command with visible output, and returns whether it succeeded. */
export function run(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0;
}

/** Returns whether a command succeeds. Shows no output. */
export function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
