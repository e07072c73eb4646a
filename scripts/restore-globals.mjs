// A setup file of vitest, run for each file of tests. Files share a process, so whatever a file replaces must be restored
// before the next one begins.
import { afterAll, vi } from 'vitest';
import './byte-equality.mjs';

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
