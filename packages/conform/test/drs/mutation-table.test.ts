import { DRS_RULES } from '../../src/index.js';
import { FAITHFUL_REFGET } from '../refget/services.js';
import { testMutations } from '../service/mutation-table.js';
import { DRS_MUTATIONS } from './drs-mutations.js';

const MUTATIONS = DRS_MUTATIONS.map((mutation) => ({ service: FAITHFUL_REFGET, ...mutation }));

testMutations(DRS_RULES, MUTATIONS, [FAITHFUL_REFGET]);
