import assert from 'node:assert/strict';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { pakoEngine } from '@htskit/bgzf/engines/pako';
import { createWasmEngine } from '@htskit/bgzf/engines/wasm';
import { zlibEngine } from '@htskit/bgzf/engines/zlib';
import { toOwned } from '@htskit/io';
import { bgunzip, checkMutations } from '@htskit/testing';
import { expect, test } from 'vitest';
import {
  BgzfError,
  type CodecEngine,
  deflateBlocks,
  EOF_MARKER,
  formatGzi,
  GziBuilder,
  inflateBlocks,
  inflateStream,
  parseGzi,
} from '../src/index.js';

// `pnpm mutate bgzf` runs these tests at volume. Damaged input must be refused with an error that names an offset within
// it, or be read as an independent reader reads it.

const engines = [createWasmEngine(), zlibEngine, pakoEngine];
const text = Buffer.from('chr1\t12345\trs1\tA\tG\t50\tPASS\tDP=12;AF=0.5\n'.repeat(12));
const file = Buffer.concat([deflateBlocks(text), EOF_MARKER, deflateBlocks(text.subarray(0, 90)), EOF_MARKER]);
const gzi = new GziBuilder();
for (const coffset of [0, 18_000, 40_000, 66_000]) gzi.add(coffset, 65_280);

test.each([
  ['blocks', file, checkBlocks],
  ['streams of blocks', file, checkStream],
  ['DEFLATE data with dynamic codes', deflateRawSync(text), checkDeflate],
  ['DEFLATE data with fixed codes', deflateRawSync(text.subarray(0, 120), { strategy: 4 }), checkDeflate],
  ['stored DEFLATE data', deflateRawSync(text.subarray(0, 120), { level: 0 }), checkDeflate],
  ['GZI indexes', formatGzi(gzi.finish()), checkGzi],
])('reads damaged %s as an independent reader does, or refuses them', async (_, bytes, check) => {
  const { accepted, refused } = await checkMutations(bytes, { seed: 20, count: 200, check });
  expect(accepted).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

function engineFor(index: number): CodecEngine {
  return engines[index % engines.length] ?? zlibEngine;
}

function checkBlocks(bytes: Uint8Array, index: number): boolean {
  return agrees(
    attempt(bytes, () => inflateBlocks(bytes, { engine: engineFor(index) })),
    bytes,
  );
}

async function checkStream(bytes: Uint8Array, index: number): Promise<boolean> {
  const parts: Uint8Array[] = [];
  const chunks = split(bytes, 1 + (index % 97));
  try {
    for await (const { data } of inflateStream(chunks, { engine: engineFor(index) })) parts.push(toOwned(data));
  } catch (error) {
    assertOffset(error, bytes);
    return agrees(undefined, bytes);
  }
  return agrees(Buffer.concat(parts), bytes);
}

async function* split(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Builds a block whose footer is that of what zlib reads, so that CRC32 and ISIZE do not hide what the engine does. */
function checkDeflate(deflated: Uint8Array, index: number): boolean {
  let data: Uint8Array;
  try {
    data = inflateRawSync(deflated, { maxOutputLength: 65_536 });
  } catch {
    data = new Uint8Array();
  }
  const block = Buffer.alloc(26 + deflated.length);
  block.set([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0]);
  block.writeUInt16LE(block.length - 1, 16);
  block.set(deflated, 18);
  block.writeUInt32LE(crc32(data), 18 + deflated.length);
  block.writeUInt32LE(data.length, 22 + deflated.length);
  return checkBlocks(block, index);
}

function checkGzi(bytes: Uint8Array): boolean {
  const index = attempt(bytes, () => parseGzi(bytes));
  if (index === undefined) return false;
  assert.deepEqual(Buffer.from(formatGzi(index)), Buffer.from(bytes));
  return true;
}

function attempt<T>(bytes: Uint8Array, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    assertOffset(error, bytes);
    return undefined;
  }
}

function assertOffset(error: unknown, bytes: Uint8Array): void {
  if (!(error instanceof BgzfError)) throw error;
  assert(error.offset >= 0 && error.offset <= bytes.length, `offset ${error.offset} of ${bytes.length} bytes`);
}

/** Returns whether the bytes were read. Throws unless the independent reader has the same outcome. */
function agrees(found: Uint8Array | undefined, bytes: Uint8Array): boolean {
  let expected: Uint8Array | undefined;
  try {
    expected = bgunzip(bytes);
  } catch {
    expected = undefined;
  }
  assert.equal(found === undefined, expected === undefined, 'one reader accepts the bytes, the other refuses them');
  if (found !== undefined && expected !== undefined) assert.equal(Buffer.compare(found, expected), 0);
  return found !== undefined;
}
