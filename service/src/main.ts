#!/usr/bin/env node
import { runCommand } from './cli/run-command.js';

// Nothing may keep the process once its command is done, such as a connection that a client holds open.
process.exit(await runCommand(process.argv.slice(2)));
