import { corsHeaders, parseRangeHeader, preflightHeaders, toContentRange } from '@htskit/http';
import { files } from '../fixtures.mjs';

export const ETAG = '"1"';

/** Bytes of a body below `/broken` before it fails. */
const BROKEN_BYTES = 10_000;

/** Returns the fixture that the last segment of the path names, or a range of it. */
export function answerFile(request) {
  const [, area, name] = new URL(request.url).pathname.split('/');
  return answerBytes(request, files[name], area === 'broken' ? breakOff : (bytes) => bytes);
}

/** Returns bytes, or a range of them, as a body that `toBody` makes; 404 if there are none. */
export function answerBytes(request, whole, toBody = (bytes) => bytes) {
  if (request.method === 'OPTIONS') {
    return new Response(null, { status: 204, headers: preflightHeaders(request, ['GET', 'HEAD']) });
  }
  if (whole === undefined) return new Response(null, { status: 404, headers: corsHeaders(request) });
  const asked = parseRangeHeader(request.headers.get('range'), whole.length);
  const { start, end } = asked.range ?? { start: 0, end: whole.length };
  const headers = {
    ...corsHeaders(request),
    'accept-ranges': 'bytes',
    'content-length': String(end - start),
    etag: ETAG,
    ...(asked.range && { 'content-range': toContentRange(asked.range, whole.length) }),
  };
  const body = request.method === 'HEAD' ? null : toBody(whole.slice(start, end));
  return new Response(body, { status: asked.range ? 206 : 200, headers });
}

/** Streams the first bytes and then fails if there are more, a moment later so that the first ones are sent. */
function breakOff(bytes) {
  const chunks = [bytes.slice(0, BROKEN_BYTES)];
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks.shift();
      if (chunk) return controller.enqueue(chunk);
      if (bytes.length <= BROKEN_BYTES) return controller.close();
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.error(new Error('broken off, as it should be'));
    },
  });
}
