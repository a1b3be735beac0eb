import { spawnSync } from 'node:child_process';

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
  console.log('Updating the package lists with apt-get update.');
  if (!run(...elevate('apt-get', 'update')))
    console.log('apt-get update failed. Continuing with the existing package lists.');
  for (const attempt of attempts) {
    const names = attempt();
    if (names.length > 0) install(elevate, names);
  }
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

function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
