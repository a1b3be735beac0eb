import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { runSteps, type Step } from '../../scripts/run-steps.mjs';

const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
afterEach(() => void written.mockClear());
afterAll(() => void written.mockRestore());

/** Runs steps, and returns their names in the order in which they ended, with their counts. */
async function resultsOf(...steps: Omit<Step, 'title'>[]): Promise<[name: string, counts: string][]> {
  const results: [string, string][] = [];
  await runSteps(
    steps.map((step) => ({ title: step.name, ...step })),
    {
      onResult: ({ name }, { passed, failed, skipped }) => void results.push([name, `${passed} ${failed} ${skipped}`]),
    },
  );
  return results;
}

const passes = async () => true;
const fails = async () => false;

test('a step that fails or throws does not stop the others, and skips those that need it', async () => {
  const results = await resultsOf(
    { name: 'fails', run: fails },
    { name: 'needs it', needs: ['fails'], run: passes },
    { name: 'needs that', needs: ['needs it'], run: passes },
    { name: 'only waits', after: ['fails'], run: passes },
    {
      name: 'throws',
      run: () => {
        throw new Error('broken');
      },
    },
  );
  expect(Object.fromEntries(results)).toEqual({
    fails: '0 1 0',
    'needs it': '0 0 1',
    'needs that': '0 0 1',
    'only waits': '1 0 0',
    throws: '0 1 0',
  });
  expect(written.mock.calls.join()).toContain('Skipped: it needs the step "fails", which failed.');
  expect(written.mock.calls.join()).toContain('Error: broken');
});

test('a step starts when those before it have ended, also if the list has another order', async () => {
  const results = await resultsOf(
    { name: 'last', after: ['middle'], run: passes },
    { name: 'middle', needs: ['first'], run: passes },
    { name: 'first', run: passes },
  );
  expect(results.map(([name]) => name)).toEqual(['first', 'middle', 'last']);
});

test('a live step runs beside the others, and its counts are kept', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const results = await resultsOf(
    { name: 'live', live: true, run: () => ended.then(() => ({ passed: 5, failed: 2, skipped: 1 })) },
    { name: 'one', run: passes },
    { name: 'two', run: passes },
    {
      name: 'three',
      after: ['one', 'two'],
      run: async () => {
        end();
        return true;
      },
    },
  );
  expect(results.at(-1)).toEqual(['live', '5 2 1']);
});

test('steps that wait for each other are refused instead of waited for', async () => {
  const cycle = resultsOf({ name: 'one', after: ['two'], run: passes }, { name: 'two', after: ['one'], run: passes });
  await expect(cycle).rejects.toThrow('Steps that wait for each other: one, two');
});

test('a step that is not in the list has been provided by an earlier run', async () => {
  expect(await resultsOf({ name: 'alone', needs: ['build'], run: passes })).toEqual([['alone', '1 0 0']]);
});
