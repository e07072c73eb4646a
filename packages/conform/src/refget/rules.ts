import type { Rule } from '../engine/rule.js';
import { METADATA_RULES } from './documents/metadata-rules.js';
import { SERVICE_INFO_RULES } from './documents/service-info-rules.js';
import { CACHING_RULES } from './http/caching-rules.js';
import { CONTENT_TYPE_RULES } from './http/content-type-rules.js';
import { CORS_RULES } from './http/cors-rules.js';
import { METHOD_RULES } from './http/method-rules.js';
import { NEGOTIATION_RULES } from './http/negotiation-rules.js';
import { IDENTIFIER_RULES } from './identifiers/identifier-rules.js';
import type { RefgetSubject } from './refget-subject.js';
import { CIRCULAR_RULES } from './sequence/circular-rules.js';
import { COORDINATE_ERROR_RULES } from './sequence/coordinate-error-rules.js';
import { COORDINATE_RULES } from './sequence/coordinate-rules.js';
import { LIMIT_RULES } from './sequence/limit-rules.js';
import { RANGE_ERROR_RULES } from './sequence/range-error-rules.js';
import { RANGE_RULES } from './sequence/range-rules.js';
import { WHOLE_RULES } from './sequence/whole-rules.js';

/** All rules of refget 2.0.0, in the order in which they run. */
export const REFGET_RULES: readonly Rule<RefgetSubject>[] = [
  ...SERVICE_INFO_RULES,
  ...IDENTIFIER_RULES,
  ...WHOLE_RULES,
  ...METADATA_RULES,
  ...COORDINATE_RULES,
  ...COORDINATE_ERROR_RULES,
  ...RANGE_RULES,
  ...RANGE_ERROR_RULES,
  ...CIRCULAR_RULES,
  ...LIMIT_RULES,
  ...CONTENT_TYPE_RULES,
  ...NEGOTIATION_RULES,
  ...CACHING_RULES,
  ...METHOD_RULES,
  ...CORS_RULES,
];
