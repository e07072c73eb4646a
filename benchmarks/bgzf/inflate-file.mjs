// node inflate-file.mjs FILE: does the work of `bgzip -dc` with BgzfPool, as a separate process.
import { createReadStream } from 'node:fs';
import { BgzfPool } from '@htskit/bgzf';

const pool = new BgzfPool();
for await (const data of pool.inflate(createReadStream(process.argv[2], { highWaterMark: 2 ** 20 }))) {
  // The data is valid until the next iteration only, so it must be written by then.
  await new Promise((resolve) => process.stdout.write(data, resolve));
}
await pool.close();
