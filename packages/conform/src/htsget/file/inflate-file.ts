import { BgzfError, EOF_MARKER, gunzip, inflateBlocks } from '@htskit/bgzf';
import { endsWithEofMarker, parseBlockHeader } from '@htskit/bgzf/internal';
import { FormatError, parseCramContainerHeader, parseCramHeader } from '@htskit/formats';
import { isCramEofContainer } from '@htskit/formats/internal';
import type { HtsgetFormat } from '@htskit/protocol';

/** A file whose bytes are not of its format. The message says what is wrong and where. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  /** Whether the file may be right: its records need reference bases, which are not available here. */
  readonly needsReference: boolean;

  constructor(message: string, options: ErrorOptions & { readonly needsReference?: boolean } = {}) {
    super(message, options);
    this.needsReference = options.needsReference ?? false;
  }
}

/** The end marker of a file. */
interface FileEnd {
  /** Whether the file ends with the EOF marker of its format; undefined if its format has none. */
  readonly hasEof: boolean | undefined;
  /** The number of EOF markers before the end. */
  readonly earlyEofCount: number;
}

/** A file without its compression. */
export interface InflatedFile extends FileEnd {
  /** The bytes of the file, for CRAM as they are. */
  readonly data: Uint8Array;
}

/** Calls a parser. Throws `UnreadableFile` for data that it refuses. */
export async function readable<T>(parse: () => T | Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof BgzfError || error instanceof FormatError)) throw error;
    const where = error.offset === undefined ? '' : ` (offset ${error.offset})`;
    const needsReference = error.code === 'MISSING_REFERENCE';
    throw new UnreadableFile(`${error.message}${where}`, { cause: error, needsReference });
  }
}

/**
 * Removes the compression of a file: BGZF of BAM and BCF; BGZF, gzip or none of VCF. Throws `UnreadableFile` for bytes of another
 * format.
 */
export function inflateFile(format: HtsgetFormat, bytes: Uint8Array): Promise<InflatedFile> {
  return readable(() => {
    if (format === 'CRAM') return { data: bytes, ...findCramEnd(bytes) };
    if (format === 'VCFTEXT' || format === 'SAM') return { data: bytes, hasEof: undefined, earlyEofCount: 0 };
    if (format === 'VCF' && !(bytes[0] === 0x1f && bytes[1] === 0x8b)) {
      return { data: bytes, hasEof: undefined, earlyEofCount: 0 };
    }
    if (format === 'VCF' && !isBgzf(bytes)) return { data: gunzip(bytes), hasEof: undefined, earlyEofCount: 0 };
    return { data: inflateBlocks(bytes), ...findBgzfEnd(bytes) };
  });
}

/** Returns the format of a file by its first bytes, or undefined for other files. */
export function recogniseFormat(bytes: Uint8Array): HtsgetFormat | undefined {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const start = new TextDecoder().decode((isGzip ? gunzip(bytes) : bytes).subarray(0, 6));
  const formats: readonly (readonly [string, HtsgetFormat])[] = [
    ['BAM\x01', 'BAM'],
    ['CRAM', 'CRAM'],
    ['BCF\x02', 'BCF'],
    ['##file', 'VCF'],
  ];
  return formats.find(([magic]) => start.startsWith(magic))?.[1];
}

/** Returns whether gzip data begins with a BGZF block. */
export function isBgzf(bytes: Uint8Array): boolean {
  try {
    parseBlockHeader(bytes);
    return true;
  } catch (error) {
    if (error instanceof BgzfError) return false;
    throw error;
  }
}

function findBgzfEnd(bytes: Uint8Array): FileEnd {
  const hasEof = endsWithEofMarker(bytes);
  let count = 0;
  for (let offset = 0; offset < bytes.length; ) {
    const { blockSize } = parseBlockHeader(bytes, { offset });
    if (blockSize === EOF_MARKER.length && endsWithEofMarker(bytes.subarray(offset, offset + blockSize))) count++;
    offset += blockSize;
  }
  return { hasEof, earlyEofCount: count - (hasEof ? 1 : 0) };
}

/** Finds the EOF containers of CRAM 2.1 and later (CRAMv3.1 §9). */
function findCramEnd(bytes: Uint8Array): FileEnd {
  const { version, byteLength } = parseCramHeader(bytes);
  let count = 0;
  let isLast = false;
  for (let offset = byteLength; offset < bytes.length; ) {
    const container = parseCramContainerHeader(bytes.subarray(offset), { version, offset });
    if (container === undefined)
      throw new FormatError('TRUNCATED', 'the file ends within a container header', { offset });
    isLast = isCramEofContainer(container);
    if (isLast) count++;
    offset += container.headerLength + container.length;
    if (offset > bytes.length)
      throw new FormatError('TRUNCATED', 'the file ends within a container', { offset: bytes.length });
  }
  return { hasEof: isLast, earlyEofCount: count - (isLast ? 1 : 0) };
}
