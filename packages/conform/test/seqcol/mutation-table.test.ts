import { SEQCOL_RULES } from '../../src/index.js';
import { testMutations } from '../service/mutation-table.js';
import { COMPARISON_MUTATIONS } from './comparison-mutations.js';
import { SEQCOL_MUTATIONS } from './seqcol-mutations.js';

testMutations(SEQCOL_RULES, [...SEQCOL_MUTATIONS, ...COMPARISON_MUTATIONS]);
