import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests run against the sources.
  resolve: { conditions: ['@htskit/source'] },
  ssr: { resolve: { conditions: ['@htskit/source', 'node'] } },
  test: {
    // Worker threads and the command run what is built.
    globalSetup: ['scripts/build-for-tests.mjs'],
    // The default leaves one processor idle.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          // Generous, because shared machines are slow at times. A test that hangs still ends.
          testTimeout: 60_000,
          include: ['packages/*/test/**/*.test.ts', 'benchmarks/test/*.test.mjs', 'scripts/test/*.test.mjs'],
          exclude: ['**/*.interop.test.ts', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'interop',
          environment: 'node',
          include: ['packages/*/test/**/*.interop.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
    ],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text', 'json-summary'] },
  },
});
