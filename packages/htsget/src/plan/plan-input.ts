import type { HtsgetFormat, HtsgetQuery } from '@htskit/protocol';
import type { ReadConditions } from '../file/record-format.js';
import type { HtsgetLimits } from '../limits.js';
import type { SampleQuery } from '../samples/select-samples.js';
import type { Conversion, Precision, Rewriting } from './plan.js';

/** A query of one stored file. */
export interface PlanQuery
  extends Pick<HtsgetQuery, 'class' | 'regions' | 'invalidRange' | 'fields' | 'tags' | 'notags'>,
    ReadConditions,
    SampleQuery {
  /** The format of the answer. Default: the format of the file. */
  readonly format?: HtsgetFormat;
  /** Whether regions on references that the file does not have are skipped, because the client did not name them. */
  readonly skipsUnknown?: boolean;
}

/** The input of the plan of an answer. */
export interface PlanInput<File, Index> {
  readonly file: File;
  /** Without an index a region is answered from the whole file. */
  readonly index?: Index;
  readonly query: PlanQuery;
  /** How records get the format of the query, if it is neither that of the file nor the text of a VCF file. */
  readonly conversion?: Conversion;
  /** How records and the header are rewritten. Default: they stay as they are. */
  readonly rewriting?: Rewriting;
  readonly precision: Precision;
  /** Whether only records that overlap the regions may leave the service, whatever the precision. */
  readonly isRestricted: boolean;
  readonly limits: HtsgetLimits;
}
