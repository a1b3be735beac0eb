import { spawnSync } from 'node:child_process';

/**
 * Installs packages of Debian and its kin, as root or by sudo without a password, and says what it does.
 *
 * @param {(() => string[])[]} attempts Each says, when its turn comes, which packages are still needed: a system need
 *   not know the name that another one has for the same.
 */
export function installPackages(attempts) {
  const elevate = elevation();
  if (!elevate) {
    console.log('Packages cannot be installed here: that takes apt-get, and root or sudo without a password.');
    return;
  }
  console.log('Reading the lists of packages with apt-get update.');
  if (!run(...elevate('apt-get', 'update')))
    console.log('apt-get update did not succeed; going on with the lists there are.');
  for (const attempt of attempts) {
    const names = attempt();
    if (names.length > 0) install(elevate, names);
  }
}

function install(elevate, packages) {
  console.log(`Installing ${packages.join(', ')} with apt-get.`);
  const together = run(...elevate('apt-get', 'install', '-y', '--no-install-recommends', ...packages));
  if (together || packages.length === 1) return;
  // One name that this system does not know would keep away all others.
  for (const each of packages) run(...elevate('apt-get', 'install', '-y', '--no-install-recommends', each));
}

/** How to run a command as root, or undefined if there is no way. */
function elevation() {
  if (!succeeds('apt-get', ['--version'])) return undefined;
  const environment = 'DEBIAN_FRONTEND=noninteractive';
  if (process.getuid?.() === 0) return (...command) => ['env', [environment, ...command]];
  if (succeeds('sudo', ['-n', 'true'])) return (...command) => ['sudo', ['-n', environment, ...command]];
  return undefined;
}

/** Runs a command in sight, and answers whether it succeeded. */
export function run(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0;
}

function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
