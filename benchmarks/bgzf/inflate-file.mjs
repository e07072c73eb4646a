// node inflate-file.mjs FILE: `bgzip -dc` of BgzfPool, as a process of its own.
import { createReadStream } from 'node:fs';
import { BgzfPool } from '@htskit/bgzf';

const pool = new BgzfPool();
for await (const data of pool.inflate(createReadStream(process.argv[2], { highWaterMark: 2 ** 20 }))) {
  // Valid until the next turn only: it has to be written by then.
  await new Promise((resolve) => process.stdout.write(data, resolve));
}
await pool.close();
