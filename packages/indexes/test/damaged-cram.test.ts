import assert from 'node:assert/strict';
import { crc32, gunzipSync } from 'node:zlib';
import { FormatError, parseCramContainerHeader, parseCramHeader } from '@htskit/formats';
import { parseCramFileDefinition } from '@htskit/formats/internal';
import { checkMutations, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { IndexError, indexCram, parseCrai } from '../src/index.js';

// `pnpm mutate indexes` runs these tests at volume. All containers of a damaged CRAM file are indexed and its header is
// read. One test repairs the checksums first, since they would keep the damage from the parser.

test.each([
  ['CRAM 2.1', 'v21.cram', checkCram],
  ['CRAM 3.0 of several references', 'multiref.cram', checkCram],
  ['CRAM 3.1', 'v31.cram', checkCram],
  ['CRAM 3.0', 'reads.cram', checkCram],
  ['CRAM 3.0 with repaired checksums', 'multiref.cram', checkRepaired],
])('indexes a damaged %s, or refuses it with the offset', async (_, name, check) => {
  const { refused } = await checkMutations(readFixture(name), { seed: 20, count: 12, check });
  expect(refused).toBeGreaterThan(0);
});

/** Returns whether the file is indexed. An error must name a byte of the file. */
async function checkCram(bytes: Uint8Array): Promise<boolean> {
  checkHeader(bytes);
  let index: Uint8Array;
  try {
    index = await indexCram(streamOf(bytes));
  } catch (error) {
    assertError(error, bytes);
    return false;
  }
  const slices = [...parseCrai(gunzipSync(index)).slices()];
  for (const { containerStart, sliceOffset, sliceSize } of slices) {
    assert(containerStart + sliceOffset + sliceSize <= bytes.length);
  }
  return true;
}

function checkRepaired(bytes: Uint8Array): Promise<boolean> {
  return checkCram(repairChecksums(Uint8Array.from(bytes)));
}

/** Writes the right checksum after each container header and each block, as far as the damage lets them be found. */
function repairChecksums(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer);
  const repair = (start: number, end: number): void => {
    if (end + 4 <= bytes.length) view.setUint32(end, crc32(bytes.subarray(start, end)), true);
  };
  try {
    const { version } = parseCramFileDefinition(bytes);
    for (let start = 26; start < bytes.length; ) {
      const end = headerEnd(bytes, start);
      repair(start, end - 4);
      const header = parseCramContainerHeader(bytes.subarray(start), { version });
      if (header === undefined) break;
      const next = end + header.length;
      for (let at = end; at < next; ) {
        const dataEnd = blockDataEnd(bytes, at);
        repair(at, dataEnd);
        at = dataEnd + 4;
      }
      start = next;
    }
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof RangeError)) throw error;
  }
  return bytes;
}

/** Returns the offset after the container header that begins at `start`, its checksum included. */
function headerEnd(bytes: Uint8Array, start: number): number {
  let at = start + 4;
  const skip = (): void => {
    at += itf8Length(bytes[at] ?? 0);
  };
  for (let field = 0; field < 4; field += 1) skip();
  for (let field = 0; field < 2; field += 1) at += ltf8Length(bytes[at] ?? 0);
  skip();
  const [count, next] = readItf8(bytes, at);
  at = next;
  for (let landmark = 0; landmark < count && at < bytes.length; landmark += 1) skip();
  return at + 4;
}

function blockDataEnd(bytes: Uint8Array, start: number): number {
  const [, afterId] = readItf8(bytes, start + 2);
  const [size, afterSize] = readItf8(bytes, afterId);
  const [, dataStart] = readItf8(bytes, afterSize);
  if (size < 0 || dataStart + size > bytes.length) throw new RangeError('a block ends past the end of the file');
  return dataStart + size;
}

function readItf8(bytes: Uint8Array, at: number): [value: number, next: number] {
  const first = bytes[at] ?? 0;
  const length = itf8Length(first);
  let value = length === 5 ? first & 0x0f : first & (0xff >> length);
  for (let byte = 1; byte < length; byte += 1) {
    value =
      length === 5 && byte === 4
        ? (value << 4) | ((bytes[at + byte] ?? 0) & 0x0f)
        : (value << 8) | (bytes[at + byte] ?? 0);
  }
  return [value, at + length];
}

function itf8Length(first: number): number {
  return Math.min(5, Math.clz32(~(first << 24)) + 1);
}

function ltf8Length(first: number): number {
  return Math.clz32(~(first << 24)) + 1;
}

function checkHeader(bytes: Uint8Array): void {
  try {
    parseCramHeader(bytes);
  } catch (error) {
    assertError(error, bytes);
  }
}

function assertError(error: unknown, { length }: Uint8Array): void {
  if (!(error instanceof FormatError || error instanceof IndexError)) throw error;
  assert(error.offset >= 0 && error.offset <= length, `offset ${error.offset} of ${length} bytes`);
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
