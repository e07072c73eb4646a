import type { Rule } from '../engine/rule.js';
import { ATTRIBUTE_RULES } from './attribute-rules.js';
import { COLLECTION_RULES } from './collection-rules.js';
import { COMPARISON_RULES } from './comparison-rules.js';
import { LIST_RULES } from './list-rules.js';
import { SCHEMA_RULES } from './schema-rules.js';
import type { SeqcolSubject } from './seqcol-subject.js';

/** All rules of sequence collections 1.0.0, in the order in which they run. */
export const SEQCOL_RULES: readonly Rule<SeqcolSubject>[] = [
  ...SCHEMA_RULES,
  ...COLLECTION_RULES,
  ...LIST_RULES,
  ...ATTRIBUTE_RULES,
  ...COMPARISON_RULES,
];
