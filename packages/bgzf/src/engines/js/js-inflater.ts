import { BgzfError } from '../../bgzf-error.js';
import type { InflateEngine, RawInflateOptions, RawInflater } from '../codec-engine.js';
import { crc32 } from '../crc32.js';
import { type InflateOutput, inflate, TOO_LONG } from './js-inflate.js';

/** The engine that inflates in plain JavaScript, for runtimes that forbid WebAssembly. */
export const jsInflateEngine: InflateEngine = {
  name: 'javascript',
  createInflater: (): RawInflater => ({
    inflateRaw(data, options) {
      const { output, consumed } = run(data, options);
      if (consumed === TOO_LONG) {
        const message = `the data is longer than ISIZE ${options.size}`;
        throw new BgzfError('SIZE_MISMATCH', message, { offset: options.coffset });
      }
      return { bytes: output.bytes.subarray(0, output.length), consumed };
    },
    inflatePrefix(data, options) {
      const { output } = run(data, options);
      return output.bytes.subarray(0, output.length);
    },
  }),
  crc32,
};

function run(data: Uint8Array, { size, coffset }: RawInflateOptions): { output: InflateOutput; consumed: number } {
  const output = { bytes: new Uint8Array(size), length: 0, limit: size };
  const consumed = inflate(data, output);
  if (consumed >= 0 || consumed === TOO_LONG) return { output, consumed };
  throw new BgzfError('INVALID_DATA', 'the DEFLATE data is corrupt or incomplete', { offset: coffset });
}
