import { openHtsget, openTicket } from '@htskit/client';
import { equal, equalBytes, failsWith, readAll, sha256, until } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';
import { countExpected, readRecords } from '../records.mjs';

const WHOLE_FILES = [
  { datatype: 'reads', id: 'straddle', format: 'BAM', name: 'straddle.bam' },
  { datatype: 'reads', id: 'longref', format: 'BAM', name: 'longref.bam' },
  { datatype: 'variants', id: 'variants', format: 'VCF', name: 'variants.vcf.gz' },
  { datatype: 'variants', id: 'variants', format: 'BCF', name: 'variants.bcf' },
];
const BEARER = { authorization: 'Bearer of-the-suite' };

/** Checks of a client of the service at `origin`. The same service is at `other`, which is another origin. */
export function checksOf({ origin, other, lacks }) {
  const read = async (baseUrl, { datatype = 'reads', id, ...query }, options) => {
    const { ticket, stream } = await openHtsget({ baseUrl, datatype, id }, query, options);
    return { blocks: ticket.htsget.urls, file: await readAll(stream) };
  };
  const countOf = async (query, options) => readRecords('BAM', (await read(origin, query, options)).file).count;
  const moved = (status, to) => `${origin}/moved?status=${status}&to=${encodeURIComponent(to)}`;

  const checkStopped = async (name, stop) => {
    const id = `${name}-${crypto.randomUUID()}`;
    const controller = new AbortController();
    const { signal } = controller;
    const { stream } = await openHtsget(
      { baseUrl: origin, datatype: 'reads', id },
      {},
      { signal, bytesAhead: 1_000_000 },
    );
    const reader = stream.getReader();
    // The header is inlined in the ticket.
    for (let bytes = 0; bytes < 10_000; ) bytes += (await reader.read()).value.length;
    if (stop === 'cancel') await reader.cancel();
    else controller.abort();
    const ended = await until(`the end of a ${name} block`, async () =>
      (await fetch(`${origin}/ended?id=${id}`)).json(),
    );
    equal([ended.isComplete, ended.bytes < 100_000_000], [false, true]);
  };

  return {
    'reads whole files, in one block and in many at once': async () => {
      for (const { datatype, id, format, name } of WHOLE_FILES) {
        for (const baseUrl of [origin, `${origin}/split`]) {
          const { file, blocks } = await read(baseUrl, { datatype, id, format });
          const { header, body, count } = readRecords(format, file);
          // BCF numbers the lines of its header.
          equal(header.text.replaceAll(/,IDX=\d+/g, ''), expected[name].header);
          equal([count, await sha256(body)], [expected[name].recordCount, expected[name].bodySha256]);
          if (baseUrl !== origin && datatype === 'variants') equal(blocks.length > 3, true);
        }
      }
    },
    'reads a CRAM to the last byte': async () => {
      for (const baseUrl of [origin, `${origin}/split`]) {
        equalBytes((await read(baseUrl, { id: 'multiref', format: 'CRAM' })).file, files['multiref.cram']);
      }
    },
    'reads the records of regions, and no others': async () => {
      for (const { datatype, id, format, name } of WHOLE_FILES) {
        for (const region of expected[name].regions.slice(0, 8)) {
          const { referenceName, start, end } = region;
          const { file } = await read(origin, { datatype, id, format, referenceName, start, end });
          equal(readRecords(format, file).count, countExpected(region));
        }
      }
    },
    'sends several regions by POST': async () => {
      const { referenceName, length } = { ...expected['straddle.bam'].references[0], referenceName: 'chr1' };
      const regions = [
        { referenceName, start: 0, end: Math.floor(length / 3) },
        { referenceName, start: Math.floor(length / 3), end: length },
      ];
      const wanted = await countOf({ id: 'straddle', referenceName });
      equal(wanted > 100, true);
      equal(await countOf({ id: 'straddle', regions }), wanted);
    },
    'reads records without the tags and fields that the query leaves out': async () => {
      const query = { id: 'straddle', fields: ['QNAME', 'FLAG', 'POS'], tags: ['NM'] };
      const { file } = await read(origin, query);
      const { body, count } = readRecords('BAM', file);
      equal(count, expected['straddle.bam'].recordCount);
      equal(body.length < readRecords('BAM', files['straddle.bam']).body.length / 2, true);
    },
    'reads ranges from a store, on conditions': async () => {
      const { file, blocks } = await read(origin, { id: 'located' });
      equal(
        blocks.some(({ url }) => url.startsWith(`${origin}/files/`)),
        true,
      );
      equal(await sha256(readRecords('BAM', file).body), expected['straddle.bam'].bodySha256);
    },
    'resumes after broken connections': async () => {
      const url = `${origin}/broken/multiref.cram`;
      const errors = [];
      const { stream } = openTicket(
        { htsget: { format: 'CRAM', urls: [{ url, headers: {} }] } },
        { onRetry: ({ error }) => errors.push(error.code), retries: 100, sleep: pause },
      );
      equalBytes(await readAll(stream), files['multiref.cram']);
      // If a connection breaks, a client may lose what had arrived and request it again.
      equal(errors.length >= Math.ceil(files['multiref.cram'].length / 10_000) - 1, true);
    },
    'follows redirects, with the query of a POST': async () => {
      const wanted = await countOf({ id: 'straddle', referenceName: 'chr1' });
      for (const status of [301, 302, 307, 308]) {
        const url = moved(status, `${origin}/reads/straddle`);
        const { stream } = await openHtsget(url, { referenceName: 'chr1' }, { method: status > 302 ? 'POST' : 'GET' });
        // The query of a GET is that of the URL to which it was sent.
        const { count } = readRecords('BAM', await readAll(stream));
        equal(count, status > 302 ? wanted : expected['straddle.bam'].recordCount);
      }
    },
    'sends credentials only to the origin that they are for': async () => {
      const query = { id: 'private' };
      await failsWith('SERVER_ERROR', () => countOf(query));
      equal(await countOf(query, { headers: BEARER }), expected['straddle.bam'].recordCount);
      const { stream } = await openHtsget(moved(307, `${origin}/reads/private`), {}, { headers: BEARER });
      equal(readRecords('BAM', await readAll(stream)).count, expected['straddle.bam'].recordCount);
      const elsewhere = moved(307, `${other}/reads/private`);
      await failsWith('SERVER_ERROR', () => openHtsget(elsewhere, {}, { headers: BEARER }));
    },
    'reports what the service refuses': async () => {
      const error = await read(origin, { id: 'nothing' }).catch((thrown) => thrown);
      equal([error.code, error.status, error.error], ['SERVER_ERROR', 404, 'NotFound']);
    },
    'reads what the service reads over HTTP, of several clients one who leaves': async () => {
      const id = `remote-${crypto.randomUUID()}`;
      const controller = new AbortController();
      const leaving = read(origin, { id, referenceName: 'chr1' }, { signal: controller.signal });
      const staying = expected['straddle.bam'].regions.slice(0, 8).map(async (region) => {
        const { referenceName, start, end } = region;
        equal(await countOf({ id, referenceName, start, end }), countExpected(region));
      });
      controller.abort();
      await failsWith(controller.signal.reason.code, () => leaving);
      await Promise.all(staying);
    },
    'makes the service stop when a download is cancelled': async () => {
      for (const stop of ['cancel', 'signal']) await checkStopped('long', stop);
    },
    ...(!lacks.includes('signal') && {
      'makes the service stop while it waits for a storage': async () => {
        for (const stop of ['cancel', 'signal']) await checkStopped('stalling', stop);
      },
    }),
  };
}

/** No delay between attempts and no stall timeout. */
function pause(milliseconds, signal) {
  return milliseconds < 30_000
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', resolve));
}
