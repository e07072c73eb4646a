import { toHtsgetError } from '@htskit/htsget/internal';
import { StorageError } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';
import { RecordsError } from '@htskit/records';
import type { CoverageBins } from './compute-bins.js';

/** The media types of bins. The first is the default. */
export const MEDIA_TYPES = ['application/json', 'application/octet-stream'] as const;

export type CoverageMediaType = (typeof MEDIA_TYPES)[number];

/** The body of an answer, with what its headers state. */
export interface CoverageBody {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Derived from the body alone: a tag of the file's version would show changes outside of the permitted regions. */
  readonly entityTag: string;
}

/** Encodes bins: as JSON, or as the means in little-endian 32-bit floats, with the rest in parameters of the media type. */
export async function encodeBins(bins: CoverageBins, mediaType: CoverageMediaType): Promise<CoverageBody> {
  const { estimated, start, end } = bins;
  const body = mediaType === 'application/json' ? encodeJson(bins) : encodeFloats(bins.mean);
  const contentType =
    mediaType === 'application/json' ? mediaType : `${mediaType}; estimated=${estimated}; start=${start}; end=${end}`;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const tag = Array.from(digest.subarray(0, TAG_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { contentType, body, entityTag: `"${estimated ? 'e' : 'x'}${tag}"` };
}

const TAG_BYTES = 16;

/** Significant digits of a mean in JSON, about those of a 32-bit float. */
const DIGITS = 7;

function encodeJson({ referenceName, start, end, estimated, mean, max }: CoverageBins): Uint8Array<ArrayBuffer> {
  const means = Array.from(mean, (value) => (Number.isNaN(value) ? null : Number(value.toPrecision(DIGITS))));
  const maxima = max && Array.from(max, (value, bin) => (means[bin] === null ? null : value));
  return new TextEncoder().encode(JSON.stringify({ referenceName, start, end, estimated, mean: means, max: maxima }));
}

const FLOAT_BYTES = 4;

function encodeFloats(values: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.length * FLOAT_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setFloat32(i * FLOAT_BYTES, value, true);
  return bytes;
}

/** Maps a failure to the error that the client sees. */
export function toCoverageError(error: unknown): HtsgetError {
  if (error instanceof RecordsError && error.code === 'AMBIGUOUS_REFERENCE') {
    return new HtsgetError('InvalidInput', error.message, { cause: error });
  }
  if (error instanceof StorageError && error.code === 'CHANGED') {
    const options = { status: 503, retryAfterSeconds: 1, cause: error };
    return new HtsgetError('InternalServerError', 'the file is being replaced', options);
  }
  return toHtsgetError(error);
}
