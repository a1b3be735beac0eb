import type { Command } from 'commander';

export function addStartCommand(program: Command): void {
  program
    .command('start')
    .description(
      'Serve until SIGTERM or SIGINT; requests in flight are answered first. A second signal ends it at once.',
    )
    .action(start);
}

async function start(): Promise<void> {
  // Only now: help and the other commands need nothing of what serves HTTP.
  const [{ readConfig }, { createLog }] = await Promise.all([import('../config.js'), import('../log.js')]);
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(1);
      log.info({ signal: name }, 'Stopping');
      stopping.abort();
    });
  }
  const { signal } = stopping;
  try {
    const [{ startServer }, { createHandover }] = await Promise.all([import('../server.js'), import('./handover.js')]);
    const handover = createHandover({ isTerminal: process.stdout.isTTY, folder: config.dataFolder, log });
    const server = await startServer(config, { log, signal, handover });
    await aborted(signal);
    await server.close();
    log.info('Stopped');
  } catch (error) {
    // Stopped while it waited for the database.
    if (!signal.aborted) throw error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
