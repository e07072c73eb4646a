// Measures BGZF decoding with CRC32 and encoding, for the contents of BAM, VCF and FASTA files.
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { measureAllProcessors } from '../bgzf/all-processors.mjs';
import { measureBundle } from '../bgzf/bundle.mjs';
import { measureDecode } from '../bgzf/decode.mjs';
import { measureEncode } from '../bgzf/encode.mjs';
import { KINDS } from '../bgzf/kinds.mjs';
import { findCommand } from '../installed-command.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

const DECODE_BYTES = 12_000_000;
/** Budgets by level. At level 1 bgzip takes so little time that the start of its process would count. */
const ENCODE_BYTES = new Map([
  [6, 1_500_000],
  [1, 3_000_000],
]);

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const tools = { folder, bgzip: findCommand('bgzip') };
    const samples = Object.entries(KINDS).map(([kind, make]) => {
      const data = make(DECODE_BYTES);
      return { kind, data, file: Buffer.concat([deflateBlocks(data), EOF_MARKER]) };
    });
    const rows = [];
    for (const { kind, file } of samples) rows.push(await measureDecode({ kind, file, size: DECODE_BYTES, ...tools }));
    for (const { kind, data } of samples) {
      for (const [level, length] of ENCODE_BYTES) {
        rows.push(await measureEncode({ kind, data: data.subarray(0, length), level, ...tools }));
      }
    }
    rows.push(await measureAllProcessors({ ...samples[0], ...tools }));
    rows.push(await measureBundle());
    return rows.flat();
  });
}
