import { createService } from '../service/service.mjs';
import { readServices, run } from '../suite.mjs';

let service;

export default {
  async fetch(request) {
    const { origin, pathname, search } = new URL(request.url);
    if (pathname === '/suite') return Response.json(await run(readServices(search)));
    service ??= createService(origin);
    return service(request);
  },
};
