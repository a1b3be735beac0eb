import type { Command } from 'commander';
import { OperatorError } from '../ground/operator-error.js';
import type { PublishedSources } from '../resources/addresses/published/sources.js';
import type { UpdateResult } from '../resources/addresses/published/update.js';

export function addAddressCommands(program: Command): void {
  const addresses = program
    .command('addresses')
    .description('Update the data about IP addresses that ADDRESS_SOURCES lists (docs/addresses.md).');
  addresses
    .command('update')
    .description(
      'Download new versions, check them, and put them in place of the previous ones. The running service reads them ' +
        'within 10 seconds. Prints a line for each source. If one fails, its previous file stays, and the exit code is 1.',
    )
    .argument('[name...]', 'names of sources (default: all)')
    .option(
      '--force',
      'accept files that are older or much smaller than the ones in use, and download all again',
      false,
    )
    .action(update);
  addresses
    .command('list')
    .description('List all sources: name, version, age, last check, licence, last error.')
    .action(list);
}

async function update(names: readonly string[], { force }: { readonly force: boolean }): Promise<void> {
  const published = await readPublished();
  const known = published.sources.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new OperatorError(`There is no source named ${unknown.join(', ')}. The names are ${known.join(', ')}.`);
  }
  const { updateSources } = await import('../resources/addresses/published/update.js');
  let failed = 0;
  await updateSources(published, {
    ...(names.length > 0 && { names }),
    force,
    now: () => new Date(),
    environment: process.env,
    report(result) {
      if (result.outcome === 'failed') failed += 1;
      console.log(describeResult(result));
    },
  });
  if (failed === 0) return;
  throw new OperatorError(`${failed} ${failed === 1 ? 'source' : 'sources'} failed. The previous files stay in use.`);
}

function describeResult({ source, outcome, reason, state }: UpdateResult): string {
  if (outcome === 'failed') return `${source.name}  failed: ${reason}`;
  const { built_at: builtAt, ranges, bytes } = state.file ?? {};
  const content =
    ranges === undefined
      ? `built ${builtAt?.slice(0, 10)}, ${bytes} bytes`
      : `${ranges} ${ranges === 1 ? 'range' : 'ranges'}`;
  return `${source.name}  ${outcome}  ${content}`;
}

async function list(): Promise<void> {
  const published = await readPublished();
  const [{ openAddresses }, { daysOld }, { createLog }] = await Promise.all([
    import('../resources/addresses/open-addresses.js'),
    import('../resources/addresses/rules/age.js'),
    import('../server/log.js'),
  ]);
  const files = { databases: 'none', lists: [] } as const;
  const { book, close } = await openAddresses(files, { log: createLog('silent'), published });
  close();
  const sources = new Map(book.sources().map((source) => [source.label, source]));
  const now = new Date();
  for (const { name, checkedAt, licence, error } of await book.updates()) {
    const source = sources.get(name);
    const age = source ? `${source.name}  ${daysOld(source, now)} days old` : 'no file yet';
    const parts = [name, age, `checked ${checkedAt?.toISOString() ?? 'never'}`, licence ?? 'no licence stated'];
    if (error) parts.push(`failed ${error.at.toISOString()}: ${error.text}`);
    console.log(parts.join('  '));
  }
}

async function readPublished(): Promise<PublishedSources> {
  const [{ readConfig }, { readSources }] = await Promise.all([
    import('../server/config.js'),
    import('../resources/addresses/published/sources.js'),
  ]);
  const { addressSources, dataFolder } = readConfig(process.env);
  if (addressSources === undefined) {
    throw new OperatorError('Set ADDRESS_SOURCES to a file that lists the sources: see docs/addresses.md.');
  }
  return readSources(addressSources, dataFolder);
}
