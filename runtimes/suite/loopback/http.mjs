import { httpSource } from '@htskit/storage/http';
import { equal, equalBytes, readAll } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';

const BEARER = 'Bearer of-the-suite';

/** Checks of what the platform's own fetch receives from the service at `origin`. */
export function checksOf({ origin, lacks }) {
  const blockOf = async (path) => {
    const { htsget } = await (await fetch(`${origin}${path}`)).json();
    return htsget.urls.find(({ url }) => url.startsWith(origin)).url;
  };
  return {
    'sends a range of a block, with the headers of a partial response': async () => {
      const url = await blockOf('/split/reads/multiref?format=CRAM');
      const whole = new Uint8Array(await (await fetch(url)).arrayBuffer());
      const response = await fetch(url, { headers: { range: 'bytes=10-19', authorization: BEARER } });
      equalBytes(new Uint8Array(await response.arrayBuffer()), whole.subarray(10, 20));
      const { status, headers } = response;
      equal([status, headers.get('content-range')], [206, `bytes 10-19/${whole.length}`]);
      equal(headers.get('etag').startsWith('"'), true);
      const beyond = await fetch(url, { headers: { range: 'bytes=99999999-' } });
      equal([beyond.status, (await beyond.json()).htsget.error], [416, 'InvalidRange']);
    },
    'answers HEAD as GET, without a body': async () => {
      const { md5 } = expected['genome.fa.gz'].sequences[0];
      for (const url of [
        `${origin}/sequence/${md5}`,
        await blockOf('/split/reads/multiref?format=CRAM'),
        `${origin}/reads/straddle`,
      ]) {
        const head = await fetch(url, { method: 'HEAD' });
        const get = await fetch(url);
        const body = await get.arrayBuffer();
        equal([head.status, (await head.arrayBuffer()).byteLength], [200, 0]);
        equal(head.headers.get('content-type'), get.headers.get('content-type'));
        equal(head.headers.get('content-length'), String(body.byteLength));
      }
    },
    'reports the length of a sequence, of a part and of a block': async () => {
      const { md5, length } = expected['genome.fa.gz'].sequences[0];
      for (const [query, wanted] of [
        ['', length],
        ['?start=0&end=10', 10],
      ]) {
        const response = await fetch(`${origin}/sequence/${md5}${query}`);
        equal(response.headers.get('content-length'), String(wanted));
        equal((await response.text()).length, wanted);
      }
      // Unlike these sequences, a block is streamed.
      const block = await fetch(await blockOf('/split/reads/multiref?format=CRAM'));
      const { byteLength } = await block.arrayBuffer();
      equal(block.headers.get('content-length'), lacks.includes('lengths') ? null : String(byteLength));
    },
    'answers a matching condition with 304': async () => {
      const url = `${origin}/sequence/${expected['genome.fa.gz'].sequences[0].md5}?start=0&end=10`;
      const etag = (await fetch(url)).headers.get('etag');
      equal((await fetch(url, { headers: { 'if-none-match': etag }, cache: 'no-store' })).status, 304);
    },
    'preserves percent-encoding in a path': async () => {
      const response = await fetch(`${origin}/reads/a%2F..%2Fstraddle`);
      equal([response.status, (await response.json()).htsget.error], [404, 'NotFound']);
    },
    'reads a file over HTTP by ranges': async () => {
      const file = files['genome.fa.gz'];
      const source = httpSource(`${origin}/files/genome.fa.gz`);
      equal((await source.stat()).size, file.length);
      equalBytes(await source.read({ start: 5, end: 500 }), file.subarray(5, 500));
      equalBytes(await readAll(source.stream({ start: 5, end: 1e9 })), file.subarray(5));
    },
  };
}
