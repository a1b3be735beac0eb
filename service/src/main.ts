#!/usr/bin/env node
import { unsupportedNode } from './cli/node-version.js';

const problem = unsupportedNode(process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}

// Loaded dynamically and without top-level await, because old versions of Node could parse neither.
import('./cli/run-command.js').then(({ runCommand }) =>
  // Exits explicitly, because open handles, such as a client's connection, would keep the process running.
  runCommand(process.argv.slice(2)).then((code) => process.exit(code)),
);
