import type { Command } from 'commander';
import type { WorldMode } from '../ground/db/schema/index.js';
import { modeOption, projectOption, withService } from './with-service.js';

interface McpOptions {
  readonly project: string;
  readonly mode: WorldMode;
}

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('Answer an assistant over standard input and output, with tools that only read (docs/mcp.md).')
    .addOption(projectOption())
    .addOption(modeOption().default('live'))
    .action(({ project, mode }: McpOptions) =>
      withService(async (service) => {
        const [{ serveStdio }, { createAssistantServer }, { findCommandCaller }] = await Promise.all([
          import('@modelcontextprotocol/server/stdio'),
          import('../api/assistant/server.js'),
          import('../resources/projects/command-caller.js'),
        ]);
        const caller = await findCommandCaller(service, { project, mode });
        const handle = serveStdio(() => createAssistantServer({ service, caller }, {}));
        await new Promise((resolve) => process.stdin.once('close', resolve));
        await handle.close();
      }),
    );
}
