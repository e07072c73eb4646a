// Measures requests for bins that are cached, beside tickets that are.
import { createCoverageHandler } from '@htskit/coverage/handler';
import { createHtsgetHandler } from '@htskit/htsget';
import { fileSource } from '@htskit/storage/file';
import { smallerRows, takeTurns } from '../turns.mjs';

const ROUNDS = 15;
const REQUESTS = 2000;
const BINS = 500;
const REGION = 'referenceName=chr1&start=0&end=1000000';

/** Returns rows for bins of a region, exact and estimated, in the handler of the process. A bin request may take twice a ticket. */
export async function measureWarmBins(path) {
  const file = { format: 'BAM', data: fileSource(path), index: fileSource(`${path}.bai`) };
  const resolve = async () => [file];
  const ticket = createHtsgetHandler({ publicUrl: 'http://localhost', resolve });
  const ticketRequest = `http://localhost/reads/a?format=BAM&${REGION}`;
  const rows = [];
  for (const [kind, exactBytes] of [
    ['exact', 2 ** 30],
    ['estimated', 0],
  ]) {
    const bins = createCoverageHandler({ resolve, limits: { exactBytes } });
    const binRequest = `http://localhost/coverage/a?${REGION}&bins=${BINS}`;
    const [first, second] = [await bins(new Request(binRequest)), await bins(new Request(binRequest))];
    const texts = [await first.text(), await second.text()];
    const equal = texts[0] === texts[1] && JSON.parse(texts[0]).estimated === (kind === 'estimated');
    const { ours, peers } = await takeTurns(
      [
        { name: 'ours', measure: () => cpuSecondsOf(bins, binRequest) },
        { name: 'a hot ticket', measure: () => cpuSecondsOf(ticket, ticketRequest) },
      ],
      { rounds: ROUNDS },
    );
    const name = `warm request for ${BINS} bins, ${kind}`;
    const amounts = [ours, ...peers].map((each) => [each.name, 1e6 * each.seconds]);
    rows.push(...smallerRows({ name, unit: 'CPU µs', budgets: { 'a hot ticket': 0.5 }, equal }, amounts));
  }
  return rows;
}

async function cpuSecondsOf(handler, url) {
  const before = process.cpuUsage();
  for (let i = 0; i < REQUESTS; i += 1) await handler(new Request(url));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / REQUESTS;
}
