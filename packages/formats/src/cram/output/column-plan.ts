import type { AlignmentColumnField } from '../../bam/columns/alignment-columns.js';
import type { CramCompressionHeader } from '../container/compression-header.js';
import type { DecodePlan } from '../container-decoder.js';
import { POSITION_SERIES, selectSeries, tagSeries } from '../slice/series-selection.js';
import type { ColumnTarget } from './column-sink.js';

const ALWAYS = ['BF', 'CF', 'RI', 'RL', 'AP'];
const MATE = ['MF', 'NS', 'NP', 'NF'];
const ALIGNMENT = [...POSITION_SERIES, 'PD', 'HC'];
const BASES = [...ALIGNMENT, 'BS', 'BA'];

/** The series that hold each field, besides `ALWAYS`. */
const FIELD_SERIES: { readonly [Field in AlignmentColumnField]: readonly string[] } = {
  referenceId: [],
  start: [],
  end: ALIGNMENT,
  flags: MATE,
  mappingQuality: ['MQ'],
  mateReferenceId: MATE,
  mateStart: MATE,
  templateLength: [...MATE, ...POSITION_SERIES, 'TS'],
  names: [...MATE, 'RN'],
  cigar: ALIGNMENT,
  sequence: BASES,
  qualities: ['QS', 'QQ'],
  mismatches: BASES,
};

/** The tag by which htslib marks records that had no MD or no NM. */
const CRAM_FLAGS_TAG = 'cF';

/** The columns that are wanted of the records of a file. */
export interface ColumnRequest {
  readonly columns: Pick<ColumnTarget, 'fields' | 'tags'>;
  readonly generateMismatchTags: boolean;
  /** Whether the places of records decide which of them are kept. */
  readonly hasIntervals: boolean;
}

/** Plans which data series of a container columns need, as the required fields of htslib do. */
export function planColumns(compression: CramCompressionHeader, request: ColumnRequest): DecodePlan {
  const { fields, tags } = request.columns;
  const substitutions = 'mismatches' in fields;
  // Mismatches of records that were written without a reference are found by MD and SEQ.
  const isByMd = substitutions && !compression.needsReference;
  const bases = 'sequence' in fields || isByMd;
  const mismatchTags = request.generateMismatchTags && (tags.has('MD') || tags.has('NM'));
  const series = new Set(ALWAYS);
  for (const [field, names] of Object.entries(FIELD_SERIES)) {
    if (field in fields) for (const name of names) series.add(name);
  }
  if (request.hasIntervals) for (const name of POSITION_SERIES) series.add(name);
  if (mismatchTags) for (const name of ALIGNMENT) series.add(name);
  if (tags.has('RG')) series.add('RG');
  if (tags.size > 0 || isByMd) series.add('TL');
  for (const key of compression.tagEncodings.keys()) {
    const name = String.fromCharCode(key >>> 16, (key >>> 8) & 0xff);
    const isMd = isByMd && name === 'MD';
    if (tags.has(name) || isMd || (mismatchTags && name === CRAM_FLAGS_TAG)) series.add(tagSeries(key));
  }
  return {
    selection: selectSeries(compression, series),
    wanted: {
      bases,
      qualities: 'qualities' in fields,
      substitutions,
      mismatchTags,
      names: 'names' in fields,
      readGroups: tags.has('RG'),
    },
    needsReference: bases || substitutions || mismatchTags,
  };
}
