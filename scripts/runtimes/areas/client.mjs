import { openHtsget, openTicket, RefgetClient } from '@htskit/client';
import { createHtsgetHandler } from '@htskit/htsget';
import { createCatalogue, createRefgetHandler, openFasta } from '@htskit/refget';
import { memorySource } from '@htskit/storage/memory';
import { equal, equalBytes, failsWith } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';

const PUBLIC_URL = 'http://localhost';
const cram = { format: 'CRAM', data: memorySource(files['multiref.cram'], { version: '1' }) };
const endpoint = { baseUrl: PUBLIC_URL, datatype: 'reads', id: 'reads' };
const { sequences, slices } = expected['genome.fa.gz'];

/** A fetch that asks a handler in place of a server. */
function fetchFrom(handler) {
  return (url, init) => handler(new Request(url, init));
}

/** Not all runtimes iterate streams themselves. */
async function readAll(stream) {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const checks = {
  'reads a file': async () => {
    // As late as this: some runtimes have no random numbers before a request.
    const handler = createHtsgetHandler({ resolve: async () => [cram], publicUrl: PUBLIC_URL });
    const { stream } = await openHtsget(endpoint, { format: 'CRAM' }, { fetch: fetchFrom(handler) });
    equalBytes(await readAll(stream), files['multiref.cram']);
  },
  'goes on where a connection broke': async () => {
    const bytes = files['multiref.cram'];
    let requests = 0;
    const fetch = async (_url, { headers }) => {
      requests++;
      const [, start] = /^bytes=(\d+)-/.exec(new Headers(headers).get('range') ?? 'bytes=0-');
      const part = bytes.subarray(Number(start), Number(start) + 10_000);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(part.slice());
          controller.close();
        },
      });
      const contentRange = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
      return start === '0'
        ? new Response(body, { headers: { 'accept-ranges': 'bytes', 'content-length': String(bytes.length) } })
        : new Response(body, { status: 206, headers: { 'content-range': contentRange } });
    };
    const ticket = { htsget: { format: 'CRAM', urls: [{ url: `${PUBLIC_URL}/block`, headers: {} }] } };
    const options = { fetch, retries: 1000, sleep: (delay, signal) => pause(delay, signal) };
    equalBytes(await readAll(openTicket(ticket, options).stream), bytes);
    equal(requests, Math.ceil(bytes.length / 10_000));
  },
  'ends what it waits for when the stream is cancelled': async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => (isCancelled = true),
    });
    const ticket = { htsget: { format: 'VCFTEXT', urls: [{ url: `${PUBLIC_URL}/block` }] } };
    const reader = openTicket(ticket, { fetch: async () => new Response(body), bytesAhead: 100 }).stream.getReader();
    await reader.read();
    await reader.cancel();
    equal(isCancelled, true);
  },
  'reads sequences and verifies them': async () => {
    const opened = await openFasta({
      data: memorySource(files['genome.fa.gz'], { version: '1' }),
      fai: memorySource(files['genome.fa.gz.fai']),
      gzi: memorySource(files['genome.fa.gz.gzi']),
    });
    const handler = createRefgetHandler({ catalogue: createCatalogue(opened) });
    const client = new RefgetClient({ servers: [PUBLIC_URL], fetch: fetchFrom(handler) });
    for (const { name, start, end, bases } of slices) {
      const { md5, length } = sequences.find((sequence) => sequence.name === name);
      equal(new TextDecoder().decode(await client.sequence(md5, { start, end })), bases.toUpperCase());
      equal((await client.sequence(md5)).length, length);
    }
    const lying = new RefgetClient({ servers: [PUBLIC_URL], fetch: async () => new Response('ACGT') });
    await failsWith('DIGEST_MISMATCH', () => lying.sequence(sequences[0].md5));
  },
};

/** Nothing is waited for between attempts, and nothing stalls. */
function pause(milliseconds, signal) {
  return milliseconds < 60_000
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', resolve));
}
