import type { Rule } from '../engine/rule.js';
import { BLOCK_RULES } from './blocks/block-rules.js';
import { COVERAGE_HTTP_RULES } from './coverage/coverage-http-rules.js';
import { COVERAGE_RULES } from './coverage/coverage-rules.js';
import { HEADER_RULES } from './data/header-rules.js';
import { WHOLE_FILE_RULES } from './data/whole-file-rules.js';
import { ERROR_RULES } from './errors/error-rules.js';
import { EXTENSION_RULES } from './extensions/extension-rules.js';
import type { HtsgetSubject } from './htsget-subject.js';
import { POST_RULES } from './post/post-rules.js';
import { REGION_LIST_RULES } from './post/region-list-rules.js';
import { FIELD_RULES } from './query/field-rules.js';
import { OPEN_RULES } from './query/open-rules.js';
import { EXTENT_RULES } from './regions/extent-rules.js';
import { REGION_RULES } from './regions/region-rules.js';
import { AUTH_RULES } from './service/auth-rules.js';
import { CORS_RULES } from './service/cors-rules.js';
import { SERVICE_INFO_RULES } from './service/service-info-rules.js';
import { TICKET_RULES } from './tickets/ticket-rules.js';

/** All rules of htsget 1.3.1, in the order in which they run. */
export const HTSGET_RULES: readonly Rule<HtsgetSubject>[] = [
  ...SERVICE_INFO_RULES,
  ...CORS_RULES,
  ...AUTH_RULES,
  ...ERROR_RULES,
  ...TICKET_RULES,
  ...BLOCK_RULES,
  ...WHOLE_FILE_RULES,
  ...HEADER_RULES,
  ...REGION_RULES,
  ...EXTENT_RULES,
  ...REGION_LIST_RULES,
  ...POST_RULES,
  ...FIELD_RULES,
  ...OPEN_RULES,
  ...EXTENSION_RULES,
  ...COVERAGE_RULES,
  ...COVERAGE_HTTP_RULES,
];
