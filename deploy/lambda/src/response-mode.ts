/** How Lambda takes the response of a function: in parts as they are written, or as one JSON value. */
export type ResponseMode = 'streamed' | 'buffered';

export interface ResponseLimits {
  /** The maximum number of bytes that Lambda takes. A longer streamed response breaks off, and a longer buffered one is lost. */
  readonly responseBytes: number;
  /** `htsget.maxBlockBytes`: the maximum number of stored bytes of a block that the function sends. */
  readonly blockBytes: number;
  /** `limits.convertedBytes`: the same for records that are converted, and take up to four times as many bytes then. */
  readonly convertedBytes: number;
}

/**
 * The limits of each mode, by the quotas of Lambda. Streams run at 2 MB/s after the first 6 MB, so that a longer block would
 * take minutes. Bytes in JSON are base64, which adds a third to a block.
 */
export const RESPONSE_LIMITS: Readonly<Record<ResponseMode, ResponseLimits>> = {
  streamed: { responseBytes: 200 * 2 ** 20, blockBytes: 50_000_000, convertedBytes: 2 ** 24 },
  buffered: { responseBytes: 6_291_556, blockBytes: 4_000_000, convertedBytes: 1_000_000 },
};

const TOO_LONG = 'is longer than AWS Lambda returns';
const HINTS: Readonly<Record<ResponseMode, string>> = {
  streamed: 'request a part of it by a Range header, or use presigned delivery',
  buffered: 'use presigned delivery, or a function URL that streams responses',
};

/**
 * Returns the response, or 413 in its place if its length is known and Lambda would not return all of it. A buffered response is
 * read up to the limit to find its length.
 */
export async function limitResponse(response: Response, mode: ResponseMode): Promise<Response> {
  const { responseBytes } = RESPONSE_LIMITS[mode];
  const { headers, body } = response;
  if (body === null) return response;
  if (Number(headers.get('content-length') ?? 0) > responseBytes) {
    await body.cancel();
    return refusal(mode);
  }
  if (mode === 'streamed') return response;
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of body) {
    byteLength += chunk.length;
    // Leaving the loop cancels the body.
    if (byteLength > responseBytes) return refusal(mode);
    chunks.push(chunk);
  }
  return new Response(new Blob(chunks as Uint8Array<ArrayBuffer>[]), response);
}

/** Returns the result of a buffered function, or 413 in its place if Lambda would not return it. */
export function limitResult<Result extends object>(result: Result): Result | object {
  const isShort = Buffer.byteLength(JSON.stringify(result)) <= RESPONSE_LIMITS.buffered.responseBytes;
  if (isShort) return result;
  const { status, headers, message } = toRefusal('buffered');
  return { statusCode: status, headers, body: message, isBase64Encoded: false };
}

function refusal(mode: ResponseMode): Response {
  const { status, headers, message } = toRefusal(mode);
  return new Response(message, { status, headers });
}

function toRefusal(mode: ResponseMode): {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly message: string;
} {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  };
  return { status: 413, headers, message: `the response ${TOO_LONG} (${mode}): ${HINTS[mode]}\n` };
}
