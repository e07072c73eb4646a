import assert from 'node:assert/strict';
import { type BgzfSource, deflateBlocks, EOF_MARKER, inflateBlocks, streamCut } from '@htskit/bgzf';

// A file, here in memory. Where yours is: @htskit/storage has sources for disks, HTTP and S3.
const file = new Blob([
  deflateBlocks(new TextEncoder().encode('GATTACA\n'.repeat(20_000))).slice(),
  EOF_MARKER.slice(),
]);
const source: BgzfSource = {
  read: async ({ start, end }) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
  stream: ({ start, end }) => file.slice(start, end).stream(),
};

// The records between two virtual offsets, as BGZF that any tool reads.
const chunks: Uint8Array[] = [];
const range = { start: { coffset: 0, uoffset: 8 }, end: { coffset: 0, uoffset: 24 } };
for await (const chunk of streamCut(source, range)) chunks.push(chunk);
assert.equal(new TextDecoder().decode(inflateBlocks(Buffer.concat(chunks))), 'GATTACA\nGATTACA\n');
