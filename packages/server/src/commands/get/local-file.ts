import { basename } from 'node:path';
import {
  type CramReferenceSource,
  DeliveryWorkers,
  type FilePlan,
  type Precision,
  planFile,
  streamPlan,
} from '@htskit/htsget';
import { checkAnswerable } from '@htskit/htsget/internal';
import { indexPaths } from '@htskit/indexes';
import type { ByteSource } from '@htskit/io';
import { isEncryptedPath } from '@htskit/io/internal';
import type { HtsgetFormat } from '@htskit/protocol';
import { UsageError } from '../../errors.js';
import { checkOutput, checkTerminal, isGarbledByProgress, writeOutput } from '../../files/write-output.js';
import { Identity } from '../../stored-file/identity.js';
import { type FileQuery, type OpenFile, openStoredFile, resolveQuery } from '../../stored-file/open-stored-file.js';
import { openReferenceSearch } from '../../stored-file/reference-search.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { startProgressBar } from '../../terminal/progress.js';
import type { RecordSelection } from '../record-selection.js';

export interface GetFileOptions extends FileQuery {
  /** The bases of a CRAM file that becomes BAM, as `openReference` takes them. */
  readonly reference?: string;
  /** Default: records keep everything. */
  readonly selection?: RecordSelection;
  readonly precision: Precision;
  /** Compression level of what is compressed anew, from 0 to 9. Default 6. */
  readonly compressionLevel?: number;
  /** Number of threads that cut, convert and compress. Default 0: the main thread does. */
  readonly threads?: number;
  /** A path, or `STDOUT`. */
  readonly output: string;
  /** Whether to show a progress bar if stderr is a terminal. */
  readonly showsProgress: boolean;
  /** Receives the warning about a file that lacks its end marker. */
  readonly onWarning?: (warning: Error) => void;
  /** The keys that decrypt the file, and that an output named `.c4gh` is encrypted for. Default: that of the environment. */
  readonly identity?: Identity;
  readonly signal: AbortSignal;
}

/** The result of `htskit get`. */
export interface GetOutcome {
  readonly format: HtsgetFormat;
  /** Number of bytes written. Undefined if the reader of the pipe closed it early. */
  readonly byteLength: number | undefined;
}

/**
 * Writes the header and the selected records of a local file as a complete file. Throws UsageError for options that do not apply
 * to the file, Error if the output cannot be written, and what planning and reading throw.
 */
export async function getFile(
  path: string,
  { signal, identity = new Identity([]), ...options }: GetFileOptions,
): Promise<GetOutcome> {
  // One stream has no blocks to split.
  const { openDecrypt: openIdentity } = identity;
  const open = await openStoredFile(path, { openIdentity, signal, limits: { blockBytes: Number.POSITIVE_INFINITY } });
  const { threads = 0 } = options;
  const workers = threads > 0 ? new DeliveryWorkers({ threads }) : undefined;
  try {
    const { format } = open.stored;
    checkAnswerable(format, options.format);
    checkSelection(options.format ?? format, options.selection);
    checkTerminal(options.format ?? format, options.output);
    await checkOutput(options.output, [path, ...indexPaths(path, format)]);
    const reference = await openReferenceSearch({ location: options.reference, isLocal: true });
    const plan = await planOpenFile(open, { ...options, reference });
    const byteLength = await writePlan(plan, open, { ...options, path, signal, identity, reference, workers });
    return { format: plan.format, byteLength };
  } finally {
    await Promise.all([open.close(), workers?.close()]);
  }
}

/** Throws UsageError for a selection that would have no effect. */
function checkSelection(format: HtsgetFormat, selection: RecordSelection = {}): void {
  const { fields, requireFlags, excludeFlags, minMappingQuality } = selection;
  if (format === 'CRAM' && Object.keys(selection).length > 0) {
    throw new UsageError(
      'CRAM is cut in whole containers: fields, tags, samples, flags and mapping quality do not apply; use --format BAM',
    );
  }
  if (format !== 'BAM' && format !== 'CRAM' && (requireFlags ?? excludeFlags ?? minMappingQuality) !== undefined) {
    throw new UsageError(`flags and mapping quality select reads, and the output is ${format}`);
  }
  if (format !== 'BAM' && format !== 'CRAM' && fields !== undefined) {
    throw new UsageError(
      `--fields applies to BAM, and the output is ${format}; select INFO and FORMAT keys with --tags or --notags`,
    );
  }
}

interface WithReference {
  readonly reference: CramReferenceSource;
}

async function planOpenFile(
  open: OpenFile,
  {
    selection,
    precision,
    onWarning,
    reference,
    ...fileQuery
  }: Omit<GetFileOptions, 'signal' | 'reference'> & WithReference,
): Promise<FilePlan> {
  const { stored, stat, loader } = open;
  const { query, index } = await resolveQuery(open, fileQuery);
  // Without an index the planner may answer `*` with more than the unplaced reads, unless the query is restricted.
  const isRestricted = precision === 'exact' && index === undefined;
  return planFile(stored, { ...query, ...selection }, { precision, isRestricted, stat, loader, onWarning, reference });
}

async function writePlan(
  plan: FilePlan,
  { stored: { data } }: OpenFile,
  {
    path,
    output,
    showsProgress,
    compressionLevel,
    signal,
    reference,
    workers,
    identity,
  }: Omit<GetFileOptions, 'reference' | 'identity'> &
    WithReference & {
      readonly path: string;
      readonly workers: DeliveryWorkers | undefined;
      readonly identity: Identity;
    },
): Promise<number | undefined> {
  const isVisible = showsProgress && !isGarbledByProgress(output);
  const bar = startProgressBar(escapeControls(basename(path)), isVisible ? countStoredBytes(plan) : 0);
  const source = countedSource(data, (bytesRead) => bar.update(bytesRead));
  try {
    const options = {
      signal,
      version: plan.stat.version,
      compressionLevel,
      reference,
      workers,
      namePrefix: basename(path),
    };
    const chunks = streamPlan(plan, source, options);
    return await writeOutput(output, isEncryptedPath(output) ? identity.encryptStream(chunks) : chunks, { signal });
  } finally {
    bar.stop();
  }
}

/** Returns how many bytes of the file a plan reads, without the ends of last blocks. */
function countStoredBytes({ segments }: FilePlan): number {
  let byteLength = 0;
  for (const segment of segments) {
    if (segment.kind === 'range') byteLength += segment.end - segment.start;
    if (segment.kind === 'cut') byteLength += segment.end.coffset - segment.start.coffset;
  }
  return byteLength;
}

/** Wraps a source and reports the total number of bytes that were read from it. */
export function countedSource(source: ByteSource, onProgress: (bytesRead: number) => void): ByteSource {
  let bytesRead = 0;
  const count = (chunk: Uint8Array): void => {
    bytesRead += chunk.length;
    onProgress(bytesRead);
  };
  return {
    key: source.key,
    stat: (options) => source.stat(options),
    async read(range, options) {
      const bytes = await source.read(range, options);
      count(bytes);
      return bytes;
    },
    stream(range, options) {
      const reader = source.stream(range, options).getReader();
      return new ReadableStream(
        {
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) return controller.close();
            count(value);
            controller.enqueue(value);
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      );
    },
  };
}
