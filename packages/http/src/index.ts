export { toAsciiJson } from './ascii-json.js';
export { corsHeaders, preflightHeaders } from './headers/cors.js';
export { ifRangeMatches, matchesIfNoneMatch } from './headers/entity-tag.js';
export { parseRangeHeader, type RangeHeader, toContentRange } from './headers/range.js';
export { parseRetryAfter } from './headers/retry-after.js';
export { type PlainResponse, toResponse } from './plain-response.js';
export { RequestBodyError, type RequestBodyErrorCode, readJsonBody } from './request-body.js';
export { stripPrefix } from './strip-prefix.js';
