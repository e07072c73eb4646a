import type { Rule } from '../engine/rule.js';
import { DRS_ACCESS_RULES } from './access-rules.js';
import type { DrsSubject } from './drs-subject.js';
import { DRS_OBJECT_RULES } from './object-rules.js';

/** All rules of DRS 1.5, in the order in which they run. */
export const DRS_RULES: readonly Rule<DrsSubject>[] = [...DRS_OBJECT_RULES, ...DRS_ACCESS_RULES];
