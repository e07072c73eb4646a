// Measures a file rewritten by ours and by a program, on one thread each: inflated, rewritten, deflated.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { deflateStream, inflateStream } from '@htskit/bgzf';
import { race, throughputRows } from '../harness.mjs';
import { outputOf, runCommand } from '../installed-command.mjs';

/** The compression level of htslib and of ours. */
export const LEVEL = 6;

/**
 * Returns the row of one rewriting. `file` is `{ path, size, headerLength, newHeader? }`, both in uncompressed bytes; `newHeader` is the
 * header of the output. `createRewriter` returns a rewriter or a filter. `peer` is `{ name, command, args, expected, budget? }`. `expected()` returns the text of the expected records, as `readBack(path)` returns
 * that of our output.
 */
export async function measureRewriting({ name, file, createRewriter, readBack, peer }) {
  const run = () => deflateStream(rewrittenData(file, createRewriter()), { level: LEVEL });
  const result = async () => {
    const path = `${file.path}.rewritten`;
    await pipeline(run, createWriteStream(path));
    return readBack(path);
  };
  const contenders = [
    { name: 'ours', run, result },
    { name: peer.name, run: () => runCommand(peer.command, peer.args), result: peer.expected },
  ];
  const work = { name, unit: 'MB/s', amount: file.size / 1e6, budgets: [{ budget: peer.budget ?? null }] };
  return throughputRows(work, await race(contenders, { rounds: 5 }));
}

/** Yields the header, and the records that `rewriter` returns. */
async function* rewrittenData({ path, headerLength, newHeader }, rewriter) {
  let header = headerLength;
  if (newHeader !== undefined) yield newHeader;
  for await (const { data } of inflateStream(createReadStream(path))) {
    const part = data.subarray(0, header);
    if (part.length > 0 && newHeader === undefined) yield part;
    header -= part.length;
    yield* rewriter.push(data.subarray(part.length));
  }
  yield* rewriter.finish();
}

/** Yields the lines that a program writes, each changed. */
export async function* changedLines(command, args, change) {
  let begun = '';
  for await (const chunk of outputOf(command, args)) {
    const lines = (begun + chunk.toString('latin1')).split('\n');
    begun = lines.pop();
    yield lines.map((line) => `${change(line)}\n`).join('');
  }
}
