// Measures what a function that inflates BGZF weighs in a browser.
import { fileURLToPath } from 'node:url';
import { bundleSize } from '../bundle-size.mjs';
import { gmodFolder, gmodPeer } from '../gmod.mjs';
import { smallerRows } from '../turns.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The most kilobytes of ours. */
const BUDGET = 10;

/** Returns a row for the kilobytes, minified and compressed, of what is loaded at once. */
export async function measureBundle() {
  const kilobytesOf = async (module) => (await bundleSize(module, ROOT)).initial / 1000;
  const ours = await kilobytesOf("export { gunzip } from '@htskit/bgzf';");
  const theirs = await kilobytesOf(`export { unzip } from ${JSON.stringify(gmodFolder('@gmod/bgzf-filehandle'))};`);
  const peer = gmodPeer('@gmod/bgzf-filehandle');
  const budgets = { [peer]: Number((theirs / BUDGET).toPrecision(3)) };
  return smallerRows({ name: 'inflating in a browser bundle, gzip', unit: 'kB', budgets, equal: true }, [
    ['ours', ours],
    [peer, theirs],
  ]);
}
