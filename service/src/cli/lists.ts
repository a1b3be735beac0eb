import { type Command, Option } from 'commander';
import type { ListEffect, ListEntry, ListKind } from 'whorl/wire';
import { OperatorError } from '../ground/operator-error.js';
import { listEffects, listKinds } from '../ground/vocabulary.js';
import type { Service } from '../resources/service.js';
import { readText } from './files.js';
import { parseTime, projectOption, withService } from './with-service.js';

const changes = () => import('../resources/lists/change-entries.js');
const reading = () => import('../resources/lists/read-entries.js');
const csv = () => import('../resources/lists/rules/csv.js');

const maxShownProblems = 20;

interface ProjectChoice {
  readonly project: string;
}

interface AddOptions extends ProjectChoice {
  readonly kind: ListKind;
  readonly effect: ListEffect;
  readonly note?: string;
  readonly expires?: Date;
}

const kindOption = () => new Option('--kind <kind>', 'what the entry names').choices(listKinds);
const effectOption = () => new Option('--effect <effect>', 'what the entry does').choices(listEffects);

export function addListCommands(program: Command): void {
  const list = program
    .command('list')
    .description('Block, allow or mark users, devices, addresses and more (docs/lists.md).');
  addAdd(list);
  addRemove(list);
  addShow(list);
  addFiles(list);
}

function addAdd(list: Command): void {
  list
    .command('add')
    .description(
      'Add entries with the same kind and effect. One for a value that is listed already replaces that entry.',
    )
    .argument('<value...>', 'such as 198.51.100.0/24 for the kind "address"')
    .addOption(projectOption())
    .addOption(kindOption().makeOptionMandatory())
    .addOption(effectOption().makeOptionMandatory())
    .option('--note <text>', 'why, at most 500 characters')
    .option('--expires <time>', 'when the entries lose their effect (default: never)', parseTime)
    .action((values: readonly string[], { project, kind, effect, note, expires }: AddOptions) =>
      withService(async (service) => {
        const { addEntries } = await changes();
        const entries = values.map((value) => ({ kind, value, effect, note, expiresAt: expires }));
        const added = await addEntries(service, {
          projectId: await projectIdOf(service, project),
          entries,
          origin: {},
        });
        for (const entry of added.entries) console.log(describe(entry));
      }),
    );
}

function addRemove(list: Command): void {
  list
    .command('remove')
    .description('End entries. They stay in the history.')
    .argument('<value...>', 'values of one kind')
    .addOption(projectOption())
    .addOption(kindOption().makeOptionMandatory())
    .action((values: readonly string[], { project, kind }: ProjectChoice & { kind: ListKind }) =>
      withService(async (service) => {
        const { endEntriesFor } = await changes();
        const projectId = await projectIdOf(service, project);
        const ended = await endEntriesFor(service, { projectId, kind, values, origin: {} });
        for (const entry of ended) console.log(describe(entry));
      }),
    );
}

function addShow(list: Command): void {
  list
    .command('show')
    .description('Show the entries that are in effect: kind, value, effect, expiry, author, note.')
    .addOption(projectOption())
    .addOption(kindOption())
    .addOption(effectOption())
    .option('--at <time>', 'show what the lists held at this time', parseTime)
    .action(({ project, kind, effect, at }: ProjectChoice & { kind?: ListKind; effect?: ListEffect; at?: Date }) =>
      withService(async (service) => {
        const { entriesAt } = await reading();
        const entries = await entriesAt(service.db, await projectIdOf(service, project), at ?? service.now());
        for (const entry of entries) {
          const isShown = (kind ?? entry.kind) === entry.kind && (effect ?? entry.effect) === entry.effect;
          if (isShown) console.log(describe(entry));
        }
      }),
    );
}

function addFiles(list: Command): void {
  list
    .command('import')
    .description('Add the entries of a file, all or none: kind,value,effect,note,expires_at.')
    .argument('<csv>', 'comma-separated values; the first line names the columns')
    .addOption(projectOption())
    .action((path: string, { project }: ProjectChoice) =>
      withService(async (service) => {
        const [{ addEntries }, { readListCsv }] = await Promise.all([changes(), csv()]);
        const { entries, problems } = readListCsv(await readText(path), service.now());
        if (problems.length > 0) throw new OperatorError(describeProblems(problems));
        const { added } = await addEntries(service, {
          projectId: await projectIdOf(service, project),
          entries,
          origin: {},
        });
        console.log(`${entries.length} entries: ${added} added, ${entries.length - added} unchanged.`);
      }),
    );
  list
    .command('export')
    .description('Print the entries that are in effect as comma-separated values.')
    .addOption(projectOption())
    .action(({ project }: ProjectChoice) =>
      withService(async (service) => {
        const [{ entriesAt }, { writeListCsv }] = await Promise.all([reading(), csv()]);
        const entries = await entriesAt(service.db, await projectIdOf(service, project), service.now());
        process.stdout.write(writeListCsv(entries));
      }),
    );
}

async function projectIdOf({ db }: Service, project: string): Promise<string> {
  const { findProject } = await import('../resources/projects/find-project.js');
  return (await findProject(db, project)).id;
}

function describe({ kind, value, effect, expires_at, created_by, note }: ListEntry): string {
  const words = [
    kind,
    value,
    effect,
    `expires ${expires_at ?? 'never'}`,
    created_by,
    ...(note === undefined ? [] : [note]),
  ];
  // A note cannot change what the terminal shows.
  return words.join('  ').replace(/[\p{Cc}\p{Bidi_C}]/gu, ' ');
}

function describeProblems(problems: readonly string[]): string {
  const shown = problems.slice(0, maxShownProblems).join('\n');
  const excess = problems.length - maxShownProblems;
  return `Nothing was added, because the file has errors:\n${shown}${excess > 0 ? `\nand ${excess} more` : ''}`;
}
