// Measures a whole BAM, against other ways to fetch all of its bytes.
import { openHtsget } from '@htskit/client';
import { race, throughputRows } from '../harness.mjs';
import { findCommand, outputOf, runCommand } from '../installed-command.mjs';
import { fetchBlocks, fetchPlainly, inlineBytes } from '../tickets.mjs';
import { budgetsBeside, PLAIN_FETCH } from './plain-fetch.mjs';
import { findPythonClient, findSamtools } from './programs.mjs';

export async function measureWhole({ url, bam, folder }) {
  const ticket = `${url}/reads/reads`;
  const samtools = findSamtools();
  const contenders = [
    { name: 'ours', run: async () => (await openHtsget(ticket)).stream },
    { name: PLAIN_FETCH, run: () => fetchPlainly(ticket) },
    ...curl(await fetchBlocks(ticket)),
    ...python(ticket, folder),
    ...(samtools === undefined ? [] : [{ name: samtools.name, run: () => samtools.run(ticket), result: null }]),
  ];
  const raced = await race(contenders, { rounds: 9 });
  const equal = raced.equal && (samtools === undefined || samtools.countRecords(ticket) === bam.starts.length - 1);
  const megabytes = bam.bytes.length / 1e6;
  const work = { name: `BAM of ${Math.round(megabytes)} MB, whole`, unit: 'MB/s', amount: megabytes };
  return throughputRows({ ...work, budgets: budgetsBeside(raced.peers) }, { ...raced, equal });
}

/** curl is given the URLs of a ticket. */
function curl(blocks) {
  const found = findCommand('curl');
  if (found === undefined) return [];
  const urls = blocks.filter((block) => inlineBytes(block) === undefined).map(({ url }) => url);
  async function* read() {
    for (const block of blocks) {
      const inline = inlineBytes(block);
      if (inline === undefined) yield* outputOf('curl', ['--silent', block.url]);
      else yield inline;
    }
  }
  const run = () => runCommand('curl', ['--silent', ...urls]);
  return [{ name: `${found.name}, without the ticket, whole process`, run, result: read }];
}

function python(ticket, folder) {
  const client = findPythonClient(folder);
  return client === undefined
    ? []
    : [{ name: client.name, run: () => client.run(ticket), result: () => client.read(ticket) }];
}
