import { changeText, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';

const isWhole = ({ pathname, search }: URL): boolean => /^\/sequence\/[0-9a-f]{32}$/.test(pathname) && search === '';

export const SEQUENCE_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.sequence.whole-status',
    fault: 'answers 206 for a whole sequence',
    break: withStatus(206, isWhole),
  },
  {
    rule: 'refget.sequence.letters',
    fault: 'ends a sequence with a line end',
    break: changeText(isWhole, (text) => `${text}\n`),
  },
  {
    rule: 'refget.errors.unknown-id',
    fault: 'answers 400 for an unknown digest',
    break: withStatus(400, ({ pathname }) => pathname.includes('ffffffff')),
  },
];
