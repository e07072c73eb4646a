import { HTSGET_RULES } from '../../src/index.js';
import { testMutations } from '../service/mutation-table.js';
import { ERROR_MUTATIONS } from './error-mutations.js';

testMutations(HTSGET_RULES, [...ERROR_MUTATIONS]);
