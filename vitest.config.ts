import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const chromium = process.env['CHROMIUM_PATH'];

export default defineConfig({
  // Tests run against the sources, so that they need no build.
  resolve: { conditions: ['@htskit/source'] },
  ssr: { resolve: { conditions: ['@htskit/source', 'node'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          // Generous: shared machines are slow at times, and what hangs still ends.
          testTimeout: 60_000,
          include: ['packages/*/test/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', '**/*.interop.test.ts', '**/node_modules/**'],
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
      ...(chromium === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'chromium',
                include: ['packages/*/test/**/*.browser.test.ts'],
                browser: {
                  enabled: true,
                  headless: true,
                  screenshotFailures: false,
                  api: { host: '127.0.0.1' },
                  provider: playwright({
                    launchOptions: {
                      executablePath: chromium,
                      args: [
                        '--no-sandbox',
                        '--disable-gpu',
                        '--disable-quic',
                        '--no-first-run',
                        '--disable-background-networking',
                        '--disable-component-update',
                        '--disable-sync',
                      ],
                    },
                  }),
                  instances: [{ browser: 'chromium' as const }],
                },
              },
            },
          ]),
    ],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text', 'json-summary'] },
  },
});
