import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Browsers are processes of their own, and two of them keep two processors busy.
    maxWorkers: 2,
    projects: [
      // Not a measure of anything: a machine with much else to do is slow, and only what hangs shall fail.
      // Without isolation, a worker loads the modules once for all files: a tenth of a run's processor time was that.
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 60_000, isolate: false } },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          // What drives the browsers has tests of its own, for whoever changes it: npm run test:harness.
          exclude: process.env.WHORL_TEST_HARNESS ? [] : ['test/browser/harness.test.ts'],
          globalSetup: ['test/browser/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'service-unit',
          include: ['service/test/unit/**/*.test.ts'],
          testTimeout: 60_000,
          isolate: false,
        },
      },
      {
        test: {
          name: 'service',
          include: ['service/test/http/**/*.test.ts'],
          globalSetup: ['service/test/global-setup.ts'],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      { test: { name: 'package', include: ['test/package/**/*.test.ts'], testTimeout: 240_000, hookTimeout: 240_000 } },
    ],
  },
});
