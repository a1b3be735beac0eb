import { type Command, InvalidArgumentError, Option } from 'commander';
import { OperatorError } from '../ground/operator-error.js';
import type { ShownAuditEntry } from '../resources/audit/audit.js';
import type { ChainPlace } from '../resources/audit/chain-queries.js';
import { auditKinds } from '../resources/audit/rules/audit.js';
import { parseTime, parseWhole, withService } from './with-service.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
const MAX_SHOWN_PROBLEMS = 100;

interface AuditOptions {
  readonly kind?: string;
  readonly since?: Date;
  readonly limit: number;
  readonly json: boolean;
}

export function addAuditCommand(program: Command): void {
  const audit = program.command('audit');
  addVerify(audit);
  addHead(audit);
  addExport(audit);
  audit
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

function addVerify(audit: Command): void {
  audit
    .command('verify')
    .description(
      'Check that no entry of the audit log was changed, removed, added or moved since it was written ' +
        '(docs/dashboard.md). Exit code 1 if one was.',
    )
    .option('--head <head>', 'earlier end of the log, as "audit head" printed it; can be repeated', collectHead, [])
    .action(({ head: anchors }: { head: ChainPlace[] }) =>
      withService(async (service) => {
        const { verifyAudit } = await import('../resources/audit/verify.js');
        const proof = await service.db
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute((trx) => verifyAudit(trx, service, anchors));
        const { entries, head, startedAt, problems } = proof;
        if (startedAt) console.log(`The chain begins at ${startedAt.toISOString()}.`);
        console.log(`${entries} entries checked. Head: ${head ? headText(head) : 'none'}`);
        for (const problem of problems.slice(0, MAX_SHOWN_PROBLEMS)) console.log(problem);
        if (problems.length > 0) {
          throw new OperatorError(
            `The audit log was tampered with: ${problems.length} problems. See docs/dashboard.md.`,
          );
        }
        console.log('The audit log is as it was written.');
      }),
    );
}

function addHead(audit: Command): void {
  audit
    .command('head')
    .description('Print the number and hash of the last entry, to keep outside of the database.')
    .action(() =>
      withService(async (service) => {
        const { readHead } = await import('../resources/audit/verify.js');
        const head = await readHead(service);
        if (!head) throw new OperatorError('The audit log is empty, or its end cannot be read: run "audit verify".');
        console.log(headText(head));
      }),
    );
}

function addExport(audit: Command): void {
  audit
    .command('export')
    .description('Print all entries, the oldest first, one JSON object per line, with the text that each hash covers.')
    .option('--after <number>', 'only entries after this number', parseWhole(0, Number.MAX_SAFE_INTEGER), 0)
    .action(({ after }: { after: number }) =>
      withService(async (service) => {
        const { exportAudit } = await import('../resources/audit/export.js');
        for await (const line of exportAudit(service.db, { after })) console.log(line);
      }),
    );
}

const headText = ({ seq, hash }: ChainPlace) => `${seq}:${hash}`;

/** Parses an option such as `120:0f3a…`. */
function collectHead(text: string, earlier: readonly ChainPlace[]): ChainPlace[] {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined) {
    throw new InvalidArgumentError('It must be a number and a hash, as "audit head" prints them.');
  }
  return [...earlier, { seq: Number(seq), hash }];
}
