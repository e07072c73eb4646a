import { BgzfPool, deflateStream } from '@htskit/bgzf';
import {
  createBamToSam,
  createBcfToVcf,
  createSamToBam,
  createVcfToBcf,
  type RecordConverter,
  type VariantHeader,
} from '@htskit/formats';
import { type BorrowedBytes, encodeText, peek, toOwnedChunks } from '@htskit/io';
import { samAhead } from '@htskit/records/internal';
import type { KeptSamples } from './kept-samples.js';
import { isAlignments, isText, type OutputFormat, type OutputPart, type ViewedFile } from './output-format.js';

/** How records are written. */
export interface RecordOutput {
  readonly file: ViewedFile;
  /** The samples that the records of variants have. Default: all of the file. */
  readonly samples?: KeptSamples;
  readonly format: OutputFormat;
  readonly part: OutputPart;
  /** Compression level, from 0 to 9. Default 6. */
  readonly level?: number;
  /** Number of threads that write SAM text and compress. Default 0: the main thread does. */
  readonly threads?: number;
  readonly signal: AbortSignal;
}

/** Yields records as the bytes of a file of another format. Files that are not plain text always have a header. */
export async function* writeRecords(
  records: AsyncIterable<Uint8Array>,
  { file, samples, format, part, level, threads = 0, signal }: RecordOutput,
): AsyncGenerator<Uint8Array, void> {
  const converter = createConverter(file, format, samples);
  async function* uncompressed(): AsyncGenerator<BorrowedBytes, void> {
    if (part !== 'records' || !isText(format)) yield converter.header;
    if (part === 'header') return;
    if (threads > 0 && isAlignments(file) && format !== 'bam') {
      yield* samAhead(records, { header: file.header, converter, workers: threads, signal });
      return;
    }
    for await (const bytes of records) yield* converter.push(bytes);
    yield* converter.finish();
  }
  if (isText(format)) yield* toOwnedChunks(uncompressed());
  else if (threads === 0) yield* deflateStream(uncompressed(), { level });
  else yield* deflateOnThreads(uncompressed(), { level, threads });
}

async function* deflateOnThreads(
  data: AsyncIterable<BorrowedBytes>,
  { level, threads }: Required<Pick<RecordOutput, 'threads'>> & Pick<RecordOutput, 'level'>,
): AsyncGenerator<Uint8Array, void> {
  const pool = new BgzfPool({ threads });
  try {
    yield* pool.deflate(data, { level });
  } finally {
    await pool.close();
  }
}

function createConverter(file: ViewedFile, format: OutputFormat, samples: KeptSamples | undefined): RecordConverter {
  if (isAlignments(file)) {
    return format === 'sam' || format === 'sam.gz'
      ? createBamToSam(file.header)
      : unchanged(createSamToBam(file.header).header);
  }
  const { header, headerText } = samples ?? file;
  const input = { text: headerText, extraContigs: file.references.map(({ name }) => name) };
  if (format === 'bcf') return file.format === 'BCF' ? unchanged(header.toBcf()) : createVcfToBcf(input);
  return file.format === 'BCF' ? createBcfToVcf(input) : wholeLines(header);
}

function unchanged(header: Uint8Array): RecordConverter {
  return { header, push: (records) => [records], finish: () => [] };
}

const LINE_FEED = 0x0a;

/** Ends the last line with a line feed, which it may lack in a file. */
function wholeLines(header: VariantHeader): RecordConverter {
  let last: number | undefined = LINE_FEED;
  return {
    header: encodeText(header.toVcf()),
    push(lines) {
      last = peek(lines).at(-1);
      return [lines];
    },
    finish: () => (last === LINE_FEED ? [] : [Uint8Array.of(LINE_FEED)]),
  };
}
