// Damaged blocks, streams and DEFLATE data through every engine.
import assert from 'node:assert/strict';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { pakoEngine } from '../../packages/bgzf/dist/engines/pako-engine.js';
import { createWasmEngine } from '../../packages/bgzf/dist/engines/wasm-engine.js';
import { zlibEngine } from '../../packages/bgzf/dist/engines/zlib.node.js';
import {
  BgzfError,
  deflateBlocks,
  EOF_MARKER,
  formatGzi,
  GziBuilder,
  inflateBlocks,
  inflateStream,
  parseGzi,
} from '../../packages/bgzf/dist/index.js';
import { bgunzip } from '../../packages/testing/dist/bgzf.js';

const engines = [createWasmEngine(), zlibEngine, pakoEngine];
const text = Buffer.from('chr1\t12345\trs1\tA\tG\t50\tPASS\tDP=12;AF=0.5\n'.repeat(12));
const file = Buffer.concat([deflateBlocks(text), EOF_MARKER, deflateBlocks(text.subarray(0, 90)), EOF_MARKER]);
const gzi = new GziBuilder();
for (const coffset of [0, 18_000, 40_000, 66_000]) gzi.add(coffset, 65_280);

export const subjects = [
  { name: 'blocks', bytes: file, check: checkBlocks },
  { name: 'a stream', bytes: file, check: checkStream },
  { name: 'DEFLATE data, dynamic codes', bytes: deflateRawSync(text), check: checkDeflate },
  {
    name: 'DEFLATE data, fixed codes',
    bytes: deflateRawSync(text.subarray(0, 120), { strategy: 4 }),
    check: checkDeflate,
  },
  { name: 'DEFLATE data, stored', bytes: deflateRawSync(text.subarray(0, 120), { level: 0 }), check: checkDeflate },
  { name: 'a GZI index', bytes: formatGzi(gzi.finish()), check: checkGzi },
];

function checkBlocks(bytes, index) {
  const found = attempt(bytes, () => inflateBlocks(bytes, { engine: engines[index % engines.length] }));
  return compare(found, bytes);
}

async function checkStream(bytes, index) {
  const parts = [];
  const engine = engines[index % engines.length];
  let found;
  try {
    for await (const { data } of inflateStream(split(bytes, 1 + (index % 97)), { engine, copy: true }))
      parts.push(data);
    found = Buffer.concat(parts);
  } catch (error) {
    assertOffset(error, bytes);
  }
  return compare(found, bytes);
}

async function* split(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The footer is that of what zlib reads, so that CRC32 and ISIZE do not hide what the engine does. */
function checkDeflate(deflated, index) {
  let data;
  try {
    data = inflateRawSync(deflated, { maxOutputLength: 65_536 });
  } catch {
    data = Buffer.alloc(0);
  }
  const block = Buffer.alloc(26 + deflated.length);
  block.set([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0]);
  block.writeUInt16LE(block.length - 1, 16);
  block.set(deflated, 18);
  block.writeUInt32LE(crc32(data), 18 + deflated.length);
  block.writeUInt32LE(data.length, 22 + deflated.length);
  return checkBlocks(block, index);
}

function checkGzi(bytes) {
  const index = attempt(bytes, () => parseGzi(bytes));
  if (index === undefined) return false;
  assert.deepEqual(Buffer.from(formatGzi(index)), Buffer.from(bytes));
  return true;
}

function attempt(bytes, run) {
  try {
    return run();
  } catch (error) {
    assertOffset(error, bytes);
    return undefined;
  }
}

function assertOffset(error, bytes) {
  assert(error instanceof BgzfError, error);
  assert(error.offset >= 0 && error.offset <= bytes.length, `offset ${error.offset} of ${bytes.length} bytes`);
}

/** Whether the independent reader reads it too, and then the same. */
function compare(found, bytes) {
  let expected;
  try {
    expected = bgunzip(bytes);
  } catch {
    expected = undefined;
  }
  assert.equal(found === undefined, expected === undefined, 'one reads it, the other refuses it');
  if (found !== undefined) assert.equal(Buffer.compare(found, expected), 0);
  return found !== undefined;
}
