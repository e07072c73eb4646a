import { deflateBlocks, inflateBlock, type VirtualOffset } from '@htskit/bgzf';
import { type BgzfBlock, streamBlocks } from '@htskit/bgzf/internal';
import { HeaderBuffer } from '@htskit/formats/internal';
import { type ByteSource, concatBytes, decodeText, type ReadOptions } from '@htskit/io';
import { characterStart, GrowingBytes, loopTurns, type MemoryAccount, readFromStart } from '@htskit/io/internal';
import { type FileEnding, readBgzfTail } from './bgzf-tail.js';
import { type BgzfFormat, type BgzfHeader, RECORD_FORMATS } from './record-format.js';

/** The facts about a BAM, BCF or VCF file that planning needs. They depend on the bytes of the file alone. */
export interface BgzfFile {
  readonly format: BgzfFormat;
  readonly header: BgzfHeader;
  /** The header as BGZF blocks that hold nothing else. */
  readonly headerBlocks: Uint8Array;
  /** The start of the first record. Equal to the end of the header if the file has no records. */
  readonly firstRecord: VirtualOffset;
  readonly ending: FileEnding;
  /** The end of the records: the EOF marker, or the end of the last whole block of a file without one. */
  readonly end: VirtualOffset;
  /** Size of the file in bytes, without an incomplete block at its end. */
  readonly size: number;
}

export interface ReadHeaderOptions extends ReadOptions {
  /** Size of the object in bytes, from its `stat`. */
  readonly size: number;
  /** The maximum number of bytes of a header, compressed or not. */
  readonly maxHeaderBytes: number;
  /** The maximum number of references of a header. Default 2,000,000. */
  readonly maxReferences?: number;
  /** Counts the memory of the header while it is read. Default: it is not counted. */
  readonly memory?: MemoryAccount;
}

/** Default of `maxReferences`. */
export const MAX_REFERENCES = 2_000_000;

/**
 * Reads the header of a file, which may end anywhere in a block (SAMv1 §4.1, §4.2), and finds the end of its records. Throws
 * `FormatError` or `BgzfError` for invalid data, LIMIT_EXCEEDED for a header over the limits.
 */
export async function readBgzfFile(
  source: ByteSource,
  { format, ...options }: ReadHeaderOptions & { readonly format: BgzfFormat },
): Promise<BgzfFile> {
  const { size, maxHeaderBytes, maxReferences = MAX_REFERENCES, memory, ...readOptions } = options;
  // Not a stream of the file, which would be abandoned with its connection as soon as the header has ended.
  const blocks = streamBlocks(readFromStart(source, { ...readOptions, size }));
  const reader = RECORD_FORMATS[format].createHeaderReader({ maxReferences });
  const buffer = new HeaderBuffer(reader, { maxBytes: maxHeaderBytes, memory });
  const { data, headerBlocks, firstRecord } = await readHeaderData(blocks, buffer, memory);
  const tailOptions = { ...readOptions, size, knownBlock: firstRecord.coffset, isText: format === 'VCF' };
  const { ending, end } = await readBgzfTail(source, tailOptions);
  const { referenceIds, strings } = reader;
  return {
    format,
    header: { text: await decodeInSteps(reader.textBytes(data), memory), referenceIds, strings },
    headerBlocks,
    firstRecord,
    ending,
    end: { coffset: end, uoffset: 0 },
    size: ending === 'cut' ? end : size,
  };
}

/** Bytes of a text that are decoded at once: about a millisecond of work. */
const TEXT_STEP_BYTES = 2 ** 20;

/** Decodes text in steps, between which the event loop handles other events. */
async function decodeInSteps(bytes: Uint8Array, memory: MemoryAccount | undefined): Promise<string> {
  // Most text is ASCII, whose characters take one byte each.
  memory?.reserve(bytes.length);
  let text = '';
  for (let start = 0; start < bytes.length; ) {
    await loopTurns.next();
    const end = characterStart(bytes, Math.min(start + TEXT_STEP_BYTES, bytes.length));
    text += decodeText(bytes, start, end);
    start = end;
  }
  return text;
}

interface HeaderData {
  readonly data: Uint8Array;
  readonly headerBlocks: Uint8Array;
  readonly firstRecord: VirtualOffset;
}

async function readHeaderData(
  blocks: AsyncIterable<BgzfBlock>,
  header: HeaderBuffer,
  memory: MemoryAccount | undefined,
): Promise<HeaderData> {
  const stored = new GrowingBytes(memory);
  /** The last block with data. */
  let last = { coffset: 0, byteStart: 0, storedStart: 0 };
  let coffset = 0;
  let byteLength: number | undefined;
  for await (const block of blocks) {
    await loopTurns.next();
    const data = inflateBlock(block.bytes, { coffset });
    // Nothing is kept of blocks without data: a file may have millions of them.
    if (data.length > 0) {
      last = { coffset, byteStart: header.bytes.length, storedStart: stored.byteLength };
      stored.append(block.bytes);
      byteLength = header.push(data);
    }
    coffset += block.bytes.length;
    if (byteLength !== undefined) break;
    // Empty blocks lengthen the file, but not the header.
    header.checkLimit(coffset);
  }
  byteLength ??= header.finish();
  const data = header.bytes.subarray(0, byteLength);
  if (byteLength === header.bytes.length) {
    return { data, headerBlocks: stored.bytes.slice(), firstRecord: { coffset, uoffset: 0 } };
  }
  // Only a block that also holds records is compressed anew.
  const rest = deflateBlocks(data.subarray(last.byteStart));
  return {
    data,
    headerBlocks: concatBytes([stored.bytes.subarray(0, last.storedStart), rest]),
    firstRecord: { coffset: last.coffset, uoffset: byteLength - last.byteStart },
  };
}
