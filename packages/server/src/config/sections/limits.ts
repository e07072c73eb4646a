import { STAT_SECONDS } from '@htskit/catalogue/internal';
import { type CoverageLimits, DEFAULT_COVERAGE_LIMITS } from '@htskit/coverage/handler';
import { DEFAULT_DRS_LIMITS } from '@htskit/drs';
import { DEFAULT_LIMITS } from '@htskit/htsget';
import { z } from 'zod';

/** Default length in bytes up to which the body of a POST is received for collections. */
export const COLLECTION_BODY_BYTES = 4 * 1024 * 1024;
/** Default size of the cache for blocks of remote files, in bytes. */
const BLOCK_CACHE_BYTES = 64 * 1024 * 1024;
/** With longer times, a replaced file would stay invisible for too long. */
const MAX_STAT_SECONDS = 3600;
/** A week, the maximum lifetime of a presigned URL (AWS Signature Version 4, X-Amz-Expires). */
const MAX_URL_SECONDS = 604_800;

/** Default size of the folder of bigWig files, in bytes: those of about 50 genomes at depth 30. */
export const COVERAGE_FOLDER_BYTES = 50_000_000_000;

const whole = z.int().min(0);
const positive = z.int().min(1);

/** The keys of the section `limits` that are limits of htsget and storage, under their names there. */
export const limitsShape = {
  postBodyBytes: limit(positive, 'Maximum size of a POST body in bytes.', DEFAULT_LIMITS.postBodyBytes),
  collectionBodyBytes: limit(
    positive,
    'Maximum size in bytes of a POST body for sequence collections.',
    COLLECTION_BODY_BYTES,
  ),
  bulkObjects: limit(
    positive,
    'Maximum number of objects that a request to DRS names.',
    DEFAULT_DRS_LIMITS.bulkObjects,
  ),
  regions: limit(positive, 'Maximum number of regions in a POST.', DEFAULT_LIMITS.regions),
  blocks: limit(positive, 'Maximum number of blocks in a ticket.', DEFAULT_LIMITS.blocks),
  blockUrlSeconds: limit(
    positive.max(MAX_URL_SECONDS),
    'Lifetime of block URLs in seconds, presigned ones included.',
    DEFAULT_LIMITS.blockUrlSeconds,
  ),
  exactBytes: limit(
    whole,
    'Compressed size in bytes of each region up to which precision auto cuts exactly.',
    DEFAULT_LIMITS.exactBytes,
  ),
  sliceBytes: limit(
    positive,
    'Maximum uncompressed size in bytes of a slice of a CRAM file that is converted.',
    DEFAULT_LIMITS.sliceBytes,
  ),
  headerBytes: limit(positive, 'Maximum uncompressed size of a header in bytes.', DEFAULT_LIMITS.headerBytes),
  recordBytes: limit(
    positive,
    'Maximum uncompressed size in bytes of a record or line that is filtered, rewritten, converted or indexed.',
    DEFAULT_LIMITS.recordBytes,
  ),
  indexBytes: limit(positive, 'Maximum uncompressed size of an index in bytes.', DEFAULT_LIMITS.indexBytes),
  indexedBytes: limit(
    whole,
    'Size in bytes up to which a file without an index is indexed in memory; longer ones are scanned.',
    DEFAULT_LIMITS.indexedBytes,
  ),
  cacheBytes: limit(
    whole,
    'Size of the cache for headers, indexes and short blocks in bytes.',
    DEFAULT_LIMITS.cacheBytes,
  ),
  blockCacheBytes: limit(whole, 'Size of the cache for blocks of remote files in bytes.', BLOCK_CACHE_BYTES),
  statSeconds: limit(
    z.number().min(0).max(MAX_STAT_SECONDS),
    'Seconds for which the size and version of a remote file are cached; 0 checks for each ticket.',
    STAT_SECONDS,
  ),
  coverageExactBytes: limit(
    whole,
    'Size in bytes of what is read of a file for exact coverage; beyond, it is estimated.',
    DEFAULT_COVERAGE_LIMITS.exactBytes,
  ),
  coverageBins: limit(positive, 'Maximum number of bins of coverage.', DEFAULT_COVERAGE_LIMITS.bins),
  coverageFolderBytes: limit(
    whole,
    'Size of coverageFolder in bytes; beyond, the bigWig files that were not used for the longest time are deleted.',
    COVERAGE_FOLDER_BYTES,
  ),
  workerThreads: positive
    .optional()
    .describe('Number of threads that filter, rewrite and compress records. Default: one for each processor.'),
};

interface CoverageLimitSettings {
  readonly coverageExactBytes?: number | undefined;
  readonly coverageBins?: number | undefined;
}

/** Picks the limits of coverage, under their names there. */
export function toCoverageLimits({ coverageExactBytes, coverageBins }: CoverageLimitSettings): Partial<CoverageLimits> {
  return {
    ...(coverageExactBytes !== undefined && { exactBytes: coverageExactBytes }),
    ...(coverageBins !== undefined && { bins: coverageBins }),
  };
}

function limit(schema: z.ZodNumber, description: string, standard: number): z.ZodOptional<z.ZodNumber> {
  return schema.optional().describe(`${description} Default: ${standard}.`);
}
