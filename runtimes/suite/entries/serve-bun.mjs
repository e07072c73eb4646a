import { createService } from '../service/service.mjs';

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => service(request) });
const service = createService(server.url.origin);
console.log(`listening on ${server.url.origin}`);
