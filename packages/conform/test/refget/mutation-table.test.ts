import { REFGET_RULES } from '../../src/index.js';
import { testMutations } from '../service/mutation-table.js';
import { SEQUENCE_MUTATIONS } from './sequence-mutations.js';

testMutations(REFGET_RULES, [...SEQUENCE_MUTATIONS]);
