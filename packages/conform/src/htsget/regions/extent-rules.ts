import { broken, inapplicable, keptWith, type Rule } from '../../engine/rule.js';
import type { DecodedRecord } from '../file/decode-file.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
import { compareAnswer, expectRecords, type RecordSelection, readRegion, regionsOf } from './compared-answer.js';

/** Files with fewer records are not worth cutting. */
const WORTH_CUTTING = 500;

const TOO_LARGE = 'the file is too large to compare all of it';

const UNPLACED: RecordSelection = {
  description: 'without a position',
  has: ({ referenceName }: DecodedRecord) => referenceName === undefined,
};

/** Rules about how much of a file is answered: reads without a position, and records outside of a region. */
export const EXTENT_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    id: 'htsget.regions.unplaced',
    section: 'GET query parameters, referenceName',
    level: 'MUST',
    scope: 'format',
    title: 'answers referenceName=* with the reads that have no position',
    async run(subject) {
      if (subject.datatype !== 'reads') return inapplicable('variants have positions');
      const answer = await compareAnswer(subject, await askTicket(subject, { referenceName: '*' }), UNPLACED);
      return answer.whole.window === undefined ? expectRecords(answer) : inapplicable(TOO_LARGE);
    },
  },
  {
    id: 'htsget.regions.over-fetch',
    section: 'Result rules 1',
    level: 'MAY',
    scope: 'format',
    title: 'leaves out most records outside of a region',
    async run(subject) {
      const { base } = await regionsOf(subject);
      const { decoded, whole, ticket, bytes, differences } = await readRegion(subject, base);
      if (whole.window !== undefined) return inapplicable(TOO_LARGE);
      const { extraCount, expectedCount } = differences;
      const measured = `${expectedCount} records and ${extraCount} others in ${bytes.length} bytes`;
      if (whole.records.length < WORTH_CUTTING) return inapplicable(`the file has ${whole.records.length} records`);
      if (decoded.records.length <= whole.records.length / 2) return keptWith(measured);
      return broken(ticket, { expected: 'fewer than half of the records for a single base', found: measured });
    },
  },
];
