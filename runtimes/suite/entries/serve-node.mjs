import { createServer } from 'node:http';
import { toNodeListener } from '@htskit/adapters/node';
import { createService } from '../service/service.mjs';

let service;
const server = createServer(toNodeListener((request) => service(request), { onError: () => undefined }));
server.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  service = createService(origin);
  console.log(`listening on ${origin}`);
});
