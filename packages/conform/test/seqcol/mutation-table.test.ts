import { SEQCOL_RULES } from '../../src/index.js';
import { FAITHFUL_REFGET } from '../refget/services.js';
import { testMutations } from '../service/mutation-table.js';
import { COMPARISON_MUTATIONS } from './comparison-mutations.js';
import { SEQCOL_MUTATIONS } from './seqcol-mutations.js';

const MUTATIONS = [...SEQCOL_MUTATIONS, ...COMPARISON_MUTATIONS].map((mutation) => ({
  service: FAITHFUL_REFGET,
  ...mutation,
}));

testMutations(SEQCOL_RULES, MUTATIONS, [FAITHFUL_REFGET]);
