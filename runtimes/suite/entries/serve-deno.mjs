import { createService } from '../service/service.mjs';

const options = { hostname: '127.0.0.1', port: 0, onListen: () => undefined };
const server = Deno.serve(options, (request) => service(request));
const origin = `http://127.0.0.1:${server.addr.port}`;
const service = createService(origin);
console.log(`listening on ${origin}`);
