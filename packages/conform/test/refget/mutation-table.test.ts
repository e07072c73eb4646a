import { REFGET_RULES } from '../../src/index.js';
import { testMutations } from '../service/mutation-table.js';
import { COORDINATE_MUTATIONS } from './coordinate-mutations.js';
import { DOCUMENT_MUTATIONS } from './document-mutations.js';
import { HTTP_MUTATIONS } from './http-mutations.js';
import { IDENTIFIER_MUTATIONS } from './identifier-mutations.js';
import { PART_MUTATIONS } from './range-mutations.js';
import { FAITHFUL_REFGET, WITH_LIMIT, WITH_MD5_ONLY, WITHOUT_CIRCULAR } from './services.js';

const MUTATIONS = [
  ...DOCUMENT_MUTATIONS,
  ...IDENTIFIER_MUTATIONS,
  ...COORDINATE_MUTATIONS,
  ...PART_MUTATIONS,
  ...HTTP_MUTATIONS,
].map((mutation) => ({ service: FAITHFUL_REFGET, ...mutation }));

testMutations(REFGET_RULES, MUTATIONS, [FAITHFUL_REFGET, WITHOUT_CIRCULAR, WITH_LIMIT, WITH_MD5_ONLY]);
