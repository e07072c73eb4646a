// A setup file of vitest, run for each file of tests.
import * as fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import './byte-equality.mjs';

// Properties that name no number of runs have fast-check's default of 100 in CI, and a fifth of it elsewhere.
if (process.env['CI'] !== 'true') fc.configureGlobal({ numRuns: 20 });

// Files share a process, so whatever a file replaces must be restored before the next one begins.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
