import { encodeText } from '@htskit/io';
import type { BamHeader } from '../../bam/header.js';
import { BAM_LAYOUT, checkRecord } from '../../bam/record-fields.js';
import { samHeaderText } from '../../bam/sam-header.js';
import type { RecordLimits } from '../../records/record-splitter.js';
import { createRecordConverter, type RecordConverter } from '../record-converter.js';
import { referenceNames, writeSamLine } from './sam-line.js';

const LINE_FEED = 0x0a;

/**
 * Creates a converter of uncompressed BAM records to lines of SAM text, as `samtools view` prints them. Its methods throw
 * `FormatError` `INVALID_DATA` also for malformed tags and for references that the header lacks.
 *
 * @example
 * ```ts
 * import { createBamToSam, parseBamHeader } from '@htskit/formats';
 * import { toOwned } from '@htskit/io';
 *
 * export function toSamText(data: Uint8Array): Uint8Array[] {
 *   const header = parseBamHeader(data);
 *   const converter = createBamToSam(header);
 *   return [converter.header, ...converter.push(data.subarray(header.byteLength)).map(toOwned)]; // complete records only
 * }
 * ```
 */
export function createBamToSam(
  header: Pick<BamHeader, 'text' | 'references'>,
  limits: RecordLimits = {},
): RecordConverter {
  const names = referenceNames(header.references);
  return createRecordConverter({
    ...BAM_LAYOUT,
    limits,
    header: encodeText(samHeaderText(header)),
    convert(view, at, _, writer) {
      checkRecord(view, at);
      writeSamLine(writer, view, at, names);
      writer.uint8(LINE_FEED);
    },
  });
}
