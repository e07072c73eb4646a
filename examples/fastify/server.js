import { toFastify } from '@htskit/adapters/fastify';
import { folderObjects, sequenceCatalogue } from '@htskit/catalogue/folder';
import { createHtsgetHandler } from '@htskit/htsget';
import { createRefgetHandler } from '@htskit/refget';
import Fastify from 'fastify';

const folder = '../../fixtures';
const { resolve } = await folderObjects(folder);
const sequences = await sequenceCatalogue(`${folder}/genome.fa.gz`, { namingAuthority: 'example' });

const app = Fastify({ logger: { level: 'warn' } });
app.register(toFastify(createHtsgetHandler({ publicUrl: 'http://127.0.0.1:3000/htsget', resolve })), {
  prefix: '/htsget',
});
app.register(toFastify(createRefgetHandler({ catalogue: sequences, collections: sequences.collections })), {
  prefix: '/refget',
});
app.addHook('onClose', () => sequences.close());
console.log(`listening on ${await app.listen({ port: 3000 })}`);
