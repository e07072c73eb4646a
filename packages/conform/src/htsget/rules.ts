import type { Rule } from '../engine/rule.js';
import { ERROR_RULES } from './errors/error-rules.js';
import type { HtsgetSubject } from './htsget-subject.js';

/** All rules of htsget 1.3.1, in the order in which they run. */
export const HTSGET_RULES: readonly Rule<HtsgetSubject>[] = [...ERROR_RULES];
