import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { toNodeListener } from '@htskit/adapters/node';
import { createHtsgetHandler } from '@htskit/htsget';
import { fileSource } from '@htskit/storage/file';

/** @type {Map<string, import('@htskit/htsget').StoredFile[]>} */
const samples = new Map();
const [, ...rows] = (await readFile('samples.tsv', 'utf8')).trimEnd().split('\n');
for (const row of rows) {
  const [sample, path, index] = row.split('\t');
  samples.set(sample, [{ format: 'BAM', data: fileSource(path), index: fileSource(index) }]);
}

const handler = createHtsgetHandler({
  publicUrl: 'http://127.0.0.1:3000',
  resolve: async (id, datatype) => (datatype === 'reads' ? samples.get(id) : undefined),
});
createServer(toNodeListener(handler)).listen(3000, '127.0.0.1', () =>
  console.log('listening on http://127.0.0.1:3000'),
);
