import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification, type Vite } from 'vitest/node';
import { compiledTesting } from './service/test/support/compile.js';

/** Files that take longest for their size. Without them, larger files start first. */
const slow =
  /\/(demo-process|story|noise|same-device|start-up|shut-down|docs-commands|secrets-reseal|secrets-reseal-process|fuzz|crash|examples|page-adapters|page-adapters-form)\.test\.ts$/;

/** Starts slow files first in each project, so that none of them runs alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => (slow.test(moduleId) ? 0 : 1);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).sort((a, b) => rank(a) - rank(b)),
    );
  }
}

/** Generous, because a busy machine is slow: only a test that hangs should fail. In ms. */
const timeLimits = { testTimeout: 600_000, hookTimeout: 600_000 };

/**
 * Replaces the service's sources, which tests over HTTP import through one file, with a bundle that is made once. Without
 * it, each worker transforms and loads a thousand files: 15 seconds of processor time.
 */
const compiledService: Vite.Plugin = {
  name: 'compiled-service',
  enforce: 'pre',
  // Not in watch mode, in which a change of the sources would go unnoticed.
  apply: () => process.argv.includes('run'),
  resolveId: (source) => (source.endsWith('/src/testing.js') ? compiledTesting() : null),
};

export default defineConfig({
  test: {
    // Twice the processors, because a worker often waits: for a browser to start, or for a time that a page must pass.
    // Tests of a browser use half of a processor.
    maxWorkers: 2 * Math.max(2, availableParallelism()),
    sequence: { sequencer: SlowFirst },
    projects: [
      // Without isolation, a worker loads the modules once for all files: a tenth of a run's processor time was that.
      { test: { ...timeLimits, name: 'unit', include: ['test/unit/**/*.test.ts'], isolate: false } },
      {
        test: {
          ...timeLimits,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          isolate: false,
          environment: './test/browser/worker-environment.ts',
          // The code that drives the browsers has its own tests. Run them after changing it: npm run test:harness.
          exclude: process.env.WHORL_TEST_HARNESS ? [] : ['test/browser/harness{,-options}.test.ts'],
          globalSetup: ['test/browser/global-setup.ts'],
        },
      },
      {
        test: {
          ...timeLimits,
          name: 'service-unit',
          include: ['service/test/unit/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        plugins: [compiledService],
        test: {
          ...timeLimits,
          name: 'service',
          include: ['service/test/http/**/*.test.ts'],
          globalSetup: ['service/test/global-setup.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...timeLimits,
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          // Installs all packages twice and builds everything, which takes minutes: npm run test:image.
          exclude: process.env.WHORL_TEST_IMAGE ? [] : ['test/package/dockerfile.test.ts'],
        },
      },
    ],
  },
});
