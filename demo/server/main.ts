import { readOptions } from './options.js';
import { keysFile } from './service/project.js';
import { startDemo } from './start-demo.js';
import { StartError } from './start-error.js';

/** Runs the demo until a signal arrives or the service exits. Returns the exit code. */
async function run(): Promise<number> {
  const stopped = new Promise<undefined>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve(undefined));
  });
  const options = readOptions(process.env);
  console.log('Starting the service …');
  const demo = await startDemo(options);
  console.log(`Whorl demo: ${demo.url}`);
  if (demo.adminLink !== undefined) {
    console.log(`The dashboard has no administrator yet. Create one within an hour: ${demo.adminLink}`);
  }
  console.log(`The service behind it: ${demo.serviceUrl}, with /dashboard and /docs. Stop both with Ctrl-C.`);
  console.log(`The mailbox, where codes arrive: ${demo.url}/#mailbox`);
  console.log(`Keys for your own pages and server (docs/quick-start.md): ${keysFile(options.dataFolder)}`);
  const reason = await Promise.race([stopped, demo.serviceEnded]);
  if (reason !== undefined) console.error(`The service stopped, so the demo stops too. ${reason}`);
  await demo.close();
  return reason === undefined ? 0 : 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
