import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Files that replace modules, load them again, or need empty caches: each runs in a process of its own. Miniflare replaces modules. */
const ISOLATED = [
  'packages/adapters/test/exchange.test.ts',
  'packages/catalogue/test/files/list-files.test.ts',
  'packages/catalogue/test/objects/windows-paths.test.ts',
  'packages/digest/test/no-wasm.test.ts',
  'packages/formats/test/two-bit/quads.test.ts',
  'packages/records/test/source/file-cache.test.ts',
  'packages/server/test/workers/template.test.ts',
  'packages/storage/test/r2/r2-object-store.test.ts',
  'packages/storage/test/r2/store-worker.test.ts',
  'packages/storage/test/s3/bucket.test.ts',
];

export default defineConfig({
  // Tests run against the sources.
  resolve: { conditions: ['@htskit/source'] },
  ssr: { resolve: { conditions: ['@htskit/source', 'node'] } },
  test: {
    // Worker threads and the command run what is built.
    globalSetup: ['scripts/build-for-tests.mjs'],
    // The default leaves processors idle, and tests wait for servers and workers at times.
    maxWorkers: availableParallelism() + 1,
    // Generous, because shared machines are slow at times. A test that hangs still ends.
    testTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            'packages/*/test/**/*.test.ts',
            'deploy/lambda/test/*.test.ts',
            'benchmarks/test/*.test.mjs',
            'scripts/test/*.test.mjs',
          ],
          exclude: ['**/*.interop.test.ts', '**/*.slow.test.*', '**/node_modules/**', ...ISOLATED],
          // Starting a process and loading the modules once per file took half of the time of all tests.
          isolate: false,
          setupFiles: ['scripts/set-up-tests.mjs'],
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      // Tests of whole processes, of watched files, and of inputs at the limits. CI runs them, and whoever changes what they test.
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['packages/*/test/**/*.slow.test.ts', 'benchmarks/test/*.slow.test.mjs'],
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'interop',
          include: ['packages/*/test/**/*.interop.test.ts'],
          globalSetup: ['scripts/build-page-for-tests.mjs'],
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
    ],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text', 'json-summary'] },
  },
});
