#!/usr/bin/env node
import { unsupportedNode } from './cli/node-version.js';

const problem = unsupportedNode(process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}

// Loaded only now, and without await at the top level: an old Node could read neither.
import('./cli/run-command.js').then(({ runCommand }) =>
  // Nothing may keep the process once its command is done, such as a connection that a client holds open.
  runCommand(process.argv.slice(2)).then((code) => process.exit(code)),
);
