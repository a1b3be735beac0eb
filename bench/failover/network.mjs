import { execFileSync } from 'node:child_process';

/** Prefix of the names of the namespaces and interfaces, which are at most 15 characters long. */
const prefix = 'whorl-ha';
/** The subnet of the machines. Its last address is this machine's. */
const subnet = '10.177.0';
const bridge = `${prefix}-br`;

/** @typedef {ReturnType<typeof createNetwork>} Network Machines as Linux network namespaces, on one bridge. */

/**
 * Creates a network namespace for each machine. Needs root and `ip` (iproute2).
 *
 * @param {readonly string[]} names
 */
export function createNetwork(names) {
  const indexOf = (/** @type {string} */ name) => names.indexOf(name) + 1;
  const namespaceOf = (/** @type {string} */ name) => `${prefix}-${name}`;
  const addressOf = (/** @type {string} */ name) => `${subnet}.${indexOf(name)}`;
  remove();
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('address', 'add', `${subnet}.254/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  for (const name of names) {
    ip('netns', 'add', namespaceOf(name));
    ip('link', 'add', `${prefix}-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespaceOf(name));
    ip('link', 'set', `${prefix}-${name}`, 'master', bridge, 'up');
    inside(name, 'address', 'add', `${addressOf(name)}/24`, 'dev', 'eth0');
    inside(name, 'link', 'set', 'eth0', 'up');
    inside(name, 'link', 'set', 'lo', 'up');
  }

  function remove() {
    for (const name of names) {
      tryIp('netns', 'delete', namespaceOf(name));
      tryIp('link', 'delete', `${prefix}-${name}`);
    }
    tryIp('link', 'delete', bridge);
  }

  /** @param {string} name @param {string[]} args */
  function inside(name, ...args) {
    return ip('-netns', namespaceOf(name), ...args);
  }

  return {
    /** The range of the machines' addresses. */
    range: `${subnet}.0/24`,
    addressOf,
    /** Returns a command that runs inside a machine. @param {string} name @param {string[]} command */
    commandIn: (name, command) => ['ip', 'netns', 'exec', namespaceOf(name), ...command],
    /** Returns the IDs of all processes of a machine. @param {string} name */
    processesOf: (name) => ip('netns', 'pids', namespaceOf(name)).split('\n').filter(Boolean).map(Number),
    /** Drops all packets between two machines. @param {string} one @param {string} other */
    cut(one, other) {
      inside(one, 'route', 'add', 'blackhole', `${addressOf(other)}/32`);
      inside(other, 'route', 'add', 'blackhole', `${addressOf(one)}/32`);
    },
    /** Drops all packets of a machine. @param {string} name */
    cutOff: (name) => ip('link', 'set', `${prefix}-${name}`, 'down'),
    /** Restores all connections. */
    heal() {
      for (const one of names) {
        ip('link', 'set', `${prefix}-${one}`, 'up');
        for (const other of names)
          tryIp('-netns', namespaceOf(one), 'route', 'del', 'blackhole', `${addressOf(other)}/32`);
      }
    },
    remove,
  };
}

/** @param {string[]} args */
function ip(...args) {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a command that fails if there is nothing to remove. @param {string[]} args */
function tryIp(...args) {
  try {
    ip(...args);
  } catch {
    // There was nothing to remove.
  }
}
