import { parseBamHeader, parseBcfHeader } from '@htskit/formats';
import { parseBamRecordSpan, parseBcfRecordSpan, parseVcfRecordSpan } from '@htskit/formats/internal';
import type { HtsgetRegion } from '@htskit/protocol';
import type { DecodedFile } from './decode-file.js';

/** The position of a record. A record without a reference has no name. */
export interface RecordSpan {
  readonly referenceName: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The span of each record. */
export function spansOf(format: 'BAM' | 'VCF' | 'BCF', { header, records }: DecodedFile): RecordSpan[] {
  const encoding = format === 'VCF' ? 'utf8' : 'latin1';
  const names = format === 'VCF' ? new Map<number, string>() : referenceNames(format, Buffer.from(header, 'latin1'));
  return records.map((record) => {
    const bytes = Buffer.from(record, encoding);
    if (format === 'VCF') {
      const { nameLength, baseStart, baseEnd } = parseVcfRecordSpan(bytes);
      return { referenceName: bytes.toString('utf8', 0, nameLength), start: baseStart, end: baseEnd };
    }
    const { referenceId, baseStart, baseEnd } =
      format === 'BAM' ? parseBamRecordSpan(bytes, 0) : parseBcfRecordSpan(bytes, 0);
    return { referenceName: names.get(referenceId), start: baseStart, end: baseEnd };
  });
}

function referenceNames(format: 'BAM' | 'BCF', header: Uint8Array): Map<number, string> {
  return format === 'BAM'
    ? new Map(parseBamHeader(header).references.map(({ name }, referenceId) => [referenceId, name]))
    : new Map(Array.from(parseBcfHeader(header).contigs, ([referenceId, { name }]) => [referenceId, name]));
}

/** Whether a record overlaps a region. The region `*` selects records without a reference. */
export function isWithin(
  span: RecordSpan,
  { referenceName, start = 0, end = Number.MAX_SAFE_INTEGER }: HtsgetRegion,
): boolean {
  if (referenceName === '*') return span.referenceName === undefined;
  return span.referenceName === referenceName && span.start < end && span.end > start && start < end;
}
