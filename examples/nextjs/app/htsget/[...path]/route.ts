import { folderObjects } from '@htskit/catalogue/folder';
import { createHtsgetHandler } from '@htskit/htsget';

const { resolve } = await folderObjects('../../fixtures');
const handler = createHtsgetHandler({ publicUrl: 'http://127.0.0.1:3000/htsget', prefix: '/htsget', resolve });

export { handler as GET, handler as HEAD, handler as OPTIONS, handler as POST };
