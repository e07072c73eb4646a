import type { Rule } from '../engine/rule.js';
import type { RefgetSubject } from './refget-subject.js';
import { SEQUENCE_RULES } from './sequence/sequence-rules.js';

/** All rules of refget 2.0.0, in the order in which they run. */
export const REFGET_RULES: readonly Rule<RefgetSubject>[] = [...SEQUENCE_RULES];
