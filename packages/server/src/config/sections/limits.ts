import { STAT_SECONDS } from '@htskit/catalogue/internal';
import { DEFAULT_LIMITS, type HtsgetLimits } from '@htskit/htsget';
import { z } from 'zod';

/** Bytes of the blocks of remote files that are kept in memory. */
const BLOCK_CACHE_BYTES = 64 * 1024 * 1024;
/** Longer ones would have clients wait for a file that was replaced. */
const MAX_STAT_SECONDS = 3600;
/** A week: for how long a presigned URL can be valid at most (AWS Signature Version 4, X-Amz-Expires). */
const MAX_URL_SECONDS = 604_800;

type HtsgetLimitName =
  | 'postBodyBytes'
  | 'regions'
  | 'blocks'
  | 'blockUrlSeconds'
  | 'exactBytes'
  | 'headerBytes'
  | 'indexBytes'
  | 'indexedBytes'
  | 'cacheBytes';

export type LimitsSection = { readonly [Name in HtsgetLimitName]?: HtsgetLimits[Name] | undefined } & {
  readonly blockCacheBytes?: number | undefined;
  readonly statSeconds?: number | undefined;
};

const whole = z.int().min(0);
const positive = z.int().min(1);

/** Those of htsget and of storage; each has the name that it has there. */
export const limitsShape: Readonly<Record<keyof LimitsSection, z.ZodType<number | undefined>>> = {
  postBodyBytes: limit(positive, 'Bytes of a POST body at most.', DEFAULT_LIMITS.postBodyBytes),
  regions: limit(positive, 'Regions of one POST at most.', DEFAULT_LIMITS.regions),
  blocks: limit(positive, 'Blocks of one ticket at most.', DEFAULT_LIMITS.blocks),
  blockUrlSeconds: limit(
    positive.max(MAX_URL_SECONDS),
    'Seconds for which a block URL is valid, presigned ones included.',
    DEFAULT_LIMITS.blockUrlSeconds,
  ),
  exactBytes: limit(whole, 'Compressed bytes up to which precision auto is exact.', DEFAULT_LIMITS.exactBytes),
  headerBytes: limit(positive, 'Uncompressed bytes of a header at most.', DEFAULT_LIMITS.headerBytes),
  indexBytes: limit(positive, 'Bytes of an index at most, uncompressed.', DEFAULT_LIMITS.indexBytes),
  indexedBytes: limit(
    whole,
    'Bytes up to which a file without an index is indexed in memory; longer ones are searched.',
    DEFAULT_LIMITS.indexedBytes,
  ),
  cacheBytes: limit(whole, 'Bytes of the headers and indexes that are kept in memory.', DEFAULT_LIMITS.cacheBytes),
  blockCacheBytes: limit(whole, 'Bytes of the parts of remote files that are kept in memory.', BLOCK_CACHE_BYTES),
  statSeconds: limit(
    z.number().min(0).max(MAX_STAT_SECONDS),
    'Seconds for which a remote file is taken for what it was; 0 asks for each ticket.',
    STAT_SECONDS,
  ),
};

function limit(schema: z.ZodType<number>, description: string, standard: number): z.ZodType<number | undefined> {
  return schema.optional().describe(`${description} Default: ${standard}.`);
}
