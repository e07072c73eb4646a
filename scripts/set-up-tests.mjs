// A setup file of vitest, run for each file of tests.
import * as fc from 'fast-check';
import { afterAll, expect, vi } from 'vitest';

// Makes `expect(bytes).toEqual(bytes)` compare bytes as such: by default, vitest compares them as objects with a property
// per byte, which takes 4 µs each.
expect.addEqualityTesters([
  (one, other) => {
    if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return undefined;
    // Whether two classes are equal depends on the matcher.
    return one.constructor === other.constructor ? Buffer.compare(one, other) === 0 : undefined;
  },
]);

// Properties that name no number of runs have fast-check's default of 100 in CI, and a fifth of it elsewhere.
if (process.env['CI'] !== 'true') fc.configureGlobal({ numRuns: 20 });

// Files share a process, so whatever a file replaces must be restored before the next one begins. A server of
// @hono/node-server replaces the global Request and Response, whose bytes() then fails.
const webClasses = { Request, Response };
afterAll(() => {
  for (const [name, value] of Object.entries(webClasses)) Object.defineProperty(globalThis, name, { value });
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
