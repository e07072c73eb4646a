// The Worker of deploy/workers, which also answers `/requests` with the requests that it made to its bucket since the last time.
import worker from '../../deploy/workers/worker.ts';

const requests = [];

function counted(bucket) {
  return new Proxy(bucket, {
    get(target, method) {
      return (key, ...rest) => {
        requests.push(`${method} ${typeof key === 'string' ? key : ''}`);
        return target[method](key, ...rest);
      };
    },
  });
}

export default {
  fetch(request, bindings, context) {
    if (new URL(request.url).pathname === '/requests') return Response.json(requests.splice(0));
    return worker.fetch(request, { ...bindings, BUCKET: counted(bindings.BUCKET) }, context);
  },
};
