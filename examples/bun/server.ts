import { folderObjects } from '@htskit/catalogue/folder';
import { createHtsgetHandler } from '@htskit/htsget';

const { resolve } = await folderObjects('../../fixtures');
const handler = createHtsgetHandler({ publicUrl: 'http://127.0.0.1:3000/htsget', prefix: '/htsget', resolve });
const { url } = Bun.serve({ hostname: '127.0.0.1', port: 3000, fetch: handler });
console.log(`listening on ${url}`);
