import { npmPeer } from '../harness.mjs';

/** Returns the name of a framework of `serve.mjs` with its version. */
export function frameworkPeer(framework) {
  return framework === 'node:http' ? `node:http ${process.versions.node}` : npmPeer(framework.toLowerCase());
}
