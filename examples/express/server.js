import { toExpress } from '@htskit/adapters/express';
import { folderObjects } from '@htskit/catalogue/folder';
import { createHtsgetHandler } from '@htskit/htsget';
import express from 'express';

/**
 * The permissions by token. Yours come from a session, a JWT or a database.
 * @type {Map<string, import('@htskit/htsget').Permission>}
 */
const permissions = new Map([
  ['Bearer everything', { regions: 'all', subject: 'everything' }],
  ['Bearer panel', { regions: [{ referenceName: 'chr1', start: 0, end: 50_000 }], subject: 'panel' }],
]);

const { resolve } = await folderObjects('../../fixtures');
const htsget = createHtsgetHandler({
  publicUrl: 'http://127.0.0.1:3000/htsget',
  resolve,
  authorize: ({ request }) => permissions.get(request.headers.get('authorization') ?? '') ?? 'unauthenticated',
});

express()
  .use('/htsget', toExpress(htsget)) // before any body parser
  .get('/', (_request, response) => response.send('the rest of your application\n'))
  .listen(3000, '127.0.0.1', () => console.log('listening on http://127.0.0.1:3000'));
