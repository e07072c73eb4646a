// node download.js URL REGIONS.bed OUT.bam
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { openHtsget } from '@htskit/client';

const [url, bed, out] = process.argv.slice(2);
const partial = `${out}.part`;
const stateFile = `${out}.state`;

const regions = (await readFile(bed, 'utf8'))
  .split('\n')
  .filter((line) => /^\S+\t\d+\t\d+/.test(line))
  .map((line) => line.split('\t'))
  .map(([referenceName, start, end]) => ({ referenceName, start: Number(start), end: Number(end) }));

/** The state of an earlier run of the same command that failed. */
const saved = await readFile(stateFile, 'utf8').then(JSON.parse, () => undefined);
const { size } = await stat(partial).catch(() => ({ size: 0 }));
// The state counts bytes that were received. If the disk was full, not all of them were written.
const state = saved?.bytes <= size ? saved : undefined;
if (state !== undefined) await truncate(partial, state.bytes);
const resume = state && { state, received: createReadStream(partial) };

const { stream, resumeState } = await openHtsget(url, { regions }, { resume, onProgress: showProgress });
try {
  await pipeline(stream, createWriteStream(partial, { flags: state === undefined ? 'w' : 'a' }));
} catch (error) {
  await writeFile(stateFile, JSON.stringify(resumeState()));
  throw error;
}
await rename(partial, out);
await rm(stateFile, { force: true });
console.log(`wrote ${out}: ${regions.length} regions`);

function showProgress({ bytes, totalBytes }) {
  if (process.stderr.isTTY) process.stderr.write(`\r${bytes} of ${totalBytes ?? '?'} bytes `);
}
