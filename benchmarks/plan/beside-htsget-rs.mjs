// Counts the bytes that a client fetches for a region of a BAM from htsget-rs, whose answers are whole blocks of the
// file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { withHtsgetRs } from '../htsget-rs.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';
import { collect, fetchPlainly } from '../tickets.mjs';
import { smallerRows } from '../turns.mjs';
import { recordsOf } from './region-files.mjs';

/**
 * Returns rows named after `set`, for a file with its index; no rows without htsget-rs. `answerOf` returns our answer
 * to a region.
 */
export function measureBesideHtsgetRs(set, { file, answerOf }) {
  return withTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, 'file.bam'), file.bytes);
    writeFileSync(join(folder, 'file.bam.bai'), file.index);
    return withHtsgetRs(folder, async ({ url, name: peer }) => {
      const kilobytes = { ours: [], [peer]: [] };
      let equal = true;
      for (const { region, ordinals } of file.regions) {
        const answer = await collect(fetchPlainly(`${url}/reads/file?${new URLSearchParams(region)}`));
        equal &&= gunzipSync(answer).includes(recordsOf(file, ordinals));
        kilobytes[peer].push(answer.length / 1000);
        kilobytes.ours.push((await answerOf(region)).length / 1000);
      }
      return toRows(`${set}: fetched for a region`, { kilobytes, equal });
    });
  });
}

function toRows(what, { kilobytes, equal }) {
  const { length } = kilobytes.ours;
  const shares = { [`median of ${length}`]: 0.5, '90th percentile': 0.9 };
  return Object.entries(shares).flatMap(([name, share]) =>
    smallerRows(
      { name: `${what}, ${name}`, unit: 'kB', budgets: {}, equal },
      Object.entries(kilobytes).map(([contender, values]) => [
        contender,
        values.toSorted((a, b) => a - b)[Math.floor(share * (length - 1))],
      ]),
    ),
  );
}
