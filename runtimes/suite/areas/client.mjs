import { openHtsget, openTicket, parseTicket, RefgetClient } from '@htskit/client';
import { createHtsgetHandler } from '@htskit/htsget';
import { createCatalogue, createRefgetHandler } from '@htskit/refget';
import { openFasta } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { concat, equal, equalBytes, failsWith, readAll } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';

const PUBLIC_URL = 'http://localhost';
const cram = { format: 'CRAM', data: memorySource(files['multiref.cram'], { version: '1' }) };
const endpoint = { baseUrl: PUBLIC_URL, datatype: 'reads', id: 'reads' };
const { sequences, slices } = expected['genome.fa.gz'];

/** A fetch function that calls a handler instead of a server. */
function fetchFrom(handler) {
  return (url, init) => handler(new Request(url, init));
}

async function* toChunks(bytes) {
  yield bytes;
}

export const checks = {
  'reads a file': async () => {
    // Created late, because some runtimes have no random numbers before a request.
    const handler = createHtsgetHandler({ resolve: async () => [cram], publicUrl: PUBLIC_URL });
    const { stream } = await openHtsget(endpoint, { format: 'CRAM' }, { fetch: fetchFrom(handler) });
    equalBytes(await readAll(stream), files['multiref.cram']);
  },
  'resumes after a broken connection': async () => {
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
  'resumes a download of an earlier run': async () => {
    const handler = createHtsgetHandler({
      resolve: async () => [cram],
      publicUrl: PUBLIC_URL,
      limits: { blockBytes: 8_000, inlineBytes: 0 },
    });
    const options = { fetch: fetchFrom(handler) };
    const { stream, resumeState } = await openHtsget(endpoint, { format: 'CRAM' }, options);
    const reader = stream.getReader();
    const chunks = [];
    for (let bytes = 0; bytes < 20_000; bytes += chunks.at(-1).length) chunks.push((await reader.read()).value);
    const state = JSON.parse(JSON.stringify(resumeState()));
    await reader.cancel();
    const received = concat(chunks).subarray(0, state.bytes);
    equal(received.length > 0, true);
    const resume = { state, received: toChunks(received) };
    const rest = await openHtsget(endpoint, { format: 'CRAM' }, { ...options, resume });
    equalBytes(concat([received, await readAll(rest.stream)]), files['multiref.cram']);
  },
  'refuses a truncated download, and a body that is not a ticket': async () => {
    const fetch = async () => new Response(files['multiref.cram'].slice(0, 1_000));
    const ticket = { htsget: { format: 'CRAM', urls: [{ url: `${PUBLIC_URL}/block` }] } };
    await failsWith('TRUNCATED', () => readAll(openTicket(ticket, { fetch }).stream));
    await failsWith('INVALID_TICKET', () => parseTicket('{"htsget":{"urls":"none"}}', {}));
  },
  'cancels pending requests when the stream is cancelled': async () => {
    let isCancelled = false;
    const line = new TextEncoder().encode('##fileformat=VCFv4.3\n');
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(line.slice()),
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
    const kept = new Map();
    const cache = { get: async (digest) => kept.get(digest), put: async (digest, bases) => kept.set(digest, bases) };
    await new RefgetClient({ servers: [PUBLIC_URL], fetch: fetchFrom(handler), cache }).sequence(sequences[0].md5);
    const offline = new RefgetClient({
      servers: [PUBLIC_URL],
      fetch: () => Promise.reject(new Error('offline')),
      cache,
    });
    equal((await offline.sequence(sequences[0].md5)).length, sequences[0].length);
    const lying = new RefgetClient({ servers: [PUBLIC_URL], fetch: async () => new Response('ACGT') });
    await failsWith('DIGEST_MISMATCH', () => lying.sequence(sequences[0].md5));
  },
};

/** No delay between attempts and no stall timeout. */
function pause(milliseconds, signal) {
  return milliseconds < 30_000
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', resolve));
}
