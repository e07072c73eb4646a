import { HTSGET_RULES } from '../../src/index.js';
import { GUARDED } from '../service/guarded-service.js';
import { FAITHFUL, LARGE, testMutations } from '../service/mutation-table.js';
import { COVERAGE_MUTATIONS } from './coverage-mutations.js';
import { DATA_MUTATIONS } from './data-mutations.js';
import { ERROR_MUTATIONS } from './error-mutations.js';
import { EXTENSION_MUTATIONS } from './extension-mutations.js';
import { OPEN_MUTATIONS } from './open-mutations.js';
import { SERVICE_MUTATIONS } from './service-mutations.js';
import { TICKET_MUTATIONS } from './ticket-mutations.js';

const MUTATIONS = [
  ...SERVICE_MUTATIONS,
  ...ERROR_MUTATIONS,
  ...TICKET_MUTATIONS,
  ...DATA_MUTATIONS,
  ...OPEN_MUTATIONS,
  ...EXTENSION_MUTATIONS,
  ...COVERAGE_MUTATIONS,
];

testMutations(HTSGET_RULES, MUTATIONS, [FAITHFUL, GUARDED, LARGE]);
