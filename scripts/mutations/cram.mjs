// Damaged CRAM files, with the checksums made right again that would keep the damage from the parser: all of their
// containers are indexed, and the headers read.
import assert from 'node:assert/strict';
import { crc32, gunzipSync } from 'node:zlib';
import {
  FormatError,
  parseCramContainerHeader,
  parseCramFileDefinition,
  parseCramHeader,
} from '../../packages/formats/dist/index.js';
import { IndexError, indexCram, parseCrai } from '../../packages/indexes/dist/index.js';
import { readFixture } from '../../packages/testing/dist/fixture.js';

export const subjects = [
  { name: 'a CRAM 2.1', bytes: readFixture('v21.cram'), check: checkCram },
  ...['multiref.cram', 'v31.cram', 'reads.cram'].map((name) => {
    return { name: `${name}, with checksums`, bytes: readFixture(name), check: checkCram };
  }),
  {
    name: 'slices of several references, without checksums',
    bytes: readFixture('multiref.cram'),
    check: checkRepaired,
  },
];

/** Whether the file is indexed. If not, the error is one of the packages and names a byte of the file. */
async function checkCram(bytes) {
  checkHeader(bytes);
  let index;
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

function checkRepaired(bytes) {
  return checkCram(repairChecksums(Uint8Array.from(bytes)));
}

/** Puts the right checksum behind every container header and every block, as far as they can be told apart. */
function repairChecksums(bytes) {
  const view = new DataView(bytes.buffer);
  const repair = (start, end) =>
    end + 4 <= bytes.length && view.setUint32(end, crc32(bytes.subarray(start, end)), true);
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
    assert(error instanceof FormatError || error instanceof RangeError, error);
  }
  return bytes;
}

/** Where the container header that begins at `start` ends with its checksum. */
function headerEnd(bytes, start) {
  let at = start + 4;
  const skip = () => {
    const length = itf8Length(bytes[at] ?? 0);
    at += length;
  };
  for (let field = 0; field < 4; field += 1) skip();
  for (let field = 0; field < 2; field += 1) at += ltf8Length(bytes[at] ?? 0);
  skip();
  const [count, next] = readItf8(bytes, at);
  at = next;
  for (let landmark = 0; landmark < count && at < bytes.length; landmark += 1) skip();
  return at + 4;
}

function blockDataEnd(bytes, start) {
  const [, afterId] = readItf8(bytes, start + 2);
  const [size, afterSize] = readItf8(bytes, afterId);
  const [, dataStart] = readItf8(bytes, afterSize);
  if (size < 0 || dataStart + size > bytes.length) throw new RangeError('a block beyond the end');
  return dataStart + size;
}

function readItf8(bytes, at) {
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

function itf8Length(first) {
  return Math.min(5, Math.clz32(~(first << 24)) + 1);
}

function ltf8Length(first) {
  return Math.clz32(~(first << 24)) + 1;
}

function checkHeader(bytes) {
  try {
    parseCramHeader(bytes);
  } catch (error) {
    assertError(error, bytes);
  }
}

function assertError(error, { length }) {
  if (!(error instanceof FormatError || error instanceof IndexError)) throw error;
  assert(error.offset >= 0 && error.offset <= length, `offset ${error.offset} of ${length} bytes`);
}

async function* streamOf(bytes) {
  yield bytes;
}
