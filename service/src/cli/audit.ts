import { type Command, Option } from 'commander';
import type { ShownAuditEntry } from '../resources/audit/audit.js';
import { auditKinds } from '../resources/audit/rules/audit.js';
import { parseTime, parseWhole, withService } from './with-service.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

interface AuditOptions {
  readonly kind?: string;
  readonly since?: Date;
  readonly limit: number;
  readonly json: boolean;
}

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('Show the audit log, the newest first: time, kind, actor, network, details (docs/dashboard.md).')
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(Object.keys(auditKinds)))
    .option('--since <time>', 'only entries since this time', parseTime)
    .option(
      '--limit <number>',
      `maximum number of entries, up to ${MAX_LIMIT}`,
      parseWhole(1, MAX_LIMIT),
      DEFAULT_LIMIT,
    )
    .option('--json', 'print one JSON object per line', false)
    .action(({ kind, since, limit, json }: AuditOptions) =>
      withService(async (service) => {
        const [{ listAudit, actorOf }, { describeAuditContent }, { listProjects }] = await Promise.all([
          import('../resources/audit/audit.js'),
          import('../resources/audit/rules/audit-text.js'),
          import('../resources/projects/projects.js'),
        ]);
        const names = new Map((await listProjects(service)).map(({ id, name }) => [id, name]));
        const describe = (entry: ShownAuditEntry) =>
          [
            entry.created_at.toISOString(),
            entry.kind,
            actorOf(entry),
            entry.network ?? '-',
            ...(entry.actor !== 'administrator' && entry.admin !== undefined ? [`account: ${entry.admin}`] : []),
            ...(entry.project_id === null ? [] : [`project: ${names.get(entry.project_id) ?? entry.project_id}`]),
            ...describeAuditContent(entry),
          ].join('  ');
        const { entries } = await listAudit(service, { kind, since, limit });
        for (const entry of entries) console.log(json ? JSON.stringify(entry) : describe(entry));
      }),
    );
}
