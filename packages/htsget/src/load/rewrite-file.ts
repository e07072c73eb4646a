import { encodeText } from '@htskit/io';
import type { HtsgetFormat } from '@htskit/protocol';
import { type BgzfFormat, RECORD_FORMATS, type RecordSelection } from '../file/record-format.js';
import type { StoredFormat } from '../file/stored-file.js';
import type { Rewriting } from '../plan/plan.js';
import type { PlanQuery } from '../plan/plan-input.js';
import type { SelectedSamples } from '../samples/packed-samples.js';
import { samplesOf } from '../samples/sample-table.js';
import { selectSamples } from '../samples/select-samples.js';
import { selectHeaderBytes, selectHeaderText } from '../samples/selected-header.js';
import { toHeaderBlocks } from './convert-file.js';
import type { OpenFile } from './file-format.js';
import { RecentValues } from './recent-values.js';

/**
 * Returns what an answer keeps of a file; undefined if it keeps everything. CRAM that is not converted keeps everything. Throws what
 * `selectSamples` throws, and `FormatError` for a header of variants without columns.
 */
export function selectRecords(query: PlanQuery, file: OpenFile, format: HtsgetFormat): RecordSelection | undefined {
  if (format === 'CRAM') return undefined;
  const { fields, tags, notags, requireFlags, excludeFlags, minMappingQuality } = query;
  const isSelected = query.samples !== undefined || query.permittedSamples !== undefined;
  const samples = isSelected ? selectSamples(query, samplesOf(file.format, file.header)) : undefined;
  if (format === 'SAM') return query.class === 'header' ? { samples } : undefined;
  if (query.class === 'header') return samples && { samples };
  const selection = { fields, tags, notags, requireFlags, excludeFlags, minMappingQuality, samples };
  return RECORD_FORMATS[recordFormat(file.format)].keepsAll(selection) ? undefined : selection;
}

/** Whether a query of a BGZF file keeps less than all of the records that its regions select. */
export function selectsRecords({ samples, permittedSamples, ...parts }: PlanQuery, format: BgzfFormat): boolean {
  return samples !== undefined || permittedSamples !== undefined || !RECORD_FORMATS[format].keepsAll(parts);
}

/** The format of the records that are filtered and rewritten: those of CRAM are converted to BAM before. */
function recordFormat(format: StoredFormat): BgzfFormat {
  return format === 'CRAM' ? 'BAM' : format;
}

/** The headers of a file with some of its samples. They are dropped with it. */
const headers = new WeakMap<OpenFile, RecentValues<Uint8Array>>();

/** Returns how the records of a file and its header are rewritten to an answer in a format. */
export async function createRewriting(
  file: OpenFile,
  selection: RecordSelection,
  format: HtsgetFormat,
): Promise<Rewriting> {
  const { header } = file;
  const { samples } = selection;
  if (format === 'SAM') {
    const text = samples === undefined ? header.text : selectHeaderText(file.format, header, samples);
    return { selection, header, answerHeader: encodeText(text) };
  }
  if (samples === undefined || file.format === 'CRAM') return { selection, header };
  const known = headers.get(file) ?? new RecentValues<Uint8Array>();
  headers.set(file, known);
  const answerHeader = await known.load(headerKey(samples, format), async () => {
    const bytes = selectHeaderBytes(file, samples);
    return format === 'VCFTEXT' ? bytes : toHeaderBlocks(bytes);
  });
  return { selection, header, answerHeader };
}

function headerKey({ packed, hidesOthers }: SelectedSamples, format: HtsgetFormat): string {
  return `${format} ${hidesOthers === true ? 'hides ' : ''}${packed}`;
}
