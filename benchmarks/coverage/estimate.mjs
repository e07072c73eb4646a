// Measures the estimate of the depth of a whole genome from its BAI.
import { estimateDepth } from '@htskit/coverage';
import { parseBinningIndex } from '@htskit/indexes';
import { ALIGNMENTS, makeBinnedFile } from '../indexes/binned-file.mjs';
import { formatBai } from '../indexes/binning-bytes.mjs';
import { REFERENCES } from '../indexes/references.mjs';
import { smallerRows, takeTurns } from '../turns.mjs';

const ROUNDS = 15;
const BINS = 1000;
const MAX_MILLISECONDS = 5;

/** Returns rows for 1,000 bins of each of 25 references, beside the limit and beside one pass over the words of the index. */
export async function measureEstimate() {
  const bytes = new Uint8Array(formatBai(makeBinnedFile(ALIGNMENTS)));
  const index = parseBinningIndex(bytes);
  const words = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
  const estimates = estimateAll(index);
  // The last bin of a reference may reach past its end.
  const sum = estimates.flatMap(({ records }) => [...records]).reduce((total, count) => total + count, 0);
  const mapped = REFERENCES.reduce((total, _, id) => total + index.referenceStatistics(id).mapped, 0);
  const equal = Math.abs(sum / mapped - 1) < 0.01;
  const { ours, peers } = await takeTurns(
    [
      { name: 'ours', measure: () => cpuSecondsOf(() => estimateAll(index)) },
      { name: 'a sum of all words of the index', measure: () => cpuSecondsOf(() => sumOf(words)) },
    ],
    { rounds: ROUNDS },
  );
  const limit = 'the limit';
  const amounts = [...[ours, ...peers].map(({ name, seconds }) => [name, 1000 * seconds]), [limit, MAX_MILLISECONDS]];
  const name = `depth of ${REFERENCES.length} references estimated from a BAI of ${Math.round(bytes.length / 1e6)} MB`;
  return smallerRows({ name, unit: 'CPU ms', budgets: { [limit]: 1 }, equal }, amounts);
}

function estimateAll(index) {
  return REFERENCES.map(({ length }, referenceId) =>
    estimateDepth(index, { referenceId, start: 0, end: length, bins: BINS, recordLength: 150 }),
  );
}

function sumOf(words) {
  let sum = 0;
  for (let at = 0; at < words.length; at += 1) sum = (sum + words[at]) | 0;
  return sum;
}

/** The clock of the CPU time of a process counts microseconds. */
function cpuSecondsOf(run) {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1e6;
}
