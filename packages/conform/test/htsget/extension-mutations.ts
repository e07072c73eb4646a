import { changeRequest, changeRequestHeaders, onRequests, type RequestFilter, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';
import { changeRecords } from '../service/ticket-faults.js';

function ignore(name: string): Mutation['break'] {
  return changeRequest(
    ({ searchParams }) => searchParams.has(name),
    ({ searchParams }) => searchParams.delete(name),
  );
}

const isQuery: RequestFilter = (_, { method }) => method === 'QUERY';

export const EXTENSION_MUTATIONS: readonly Mutation[] = [
  { rule: 'htsget.extensions.require-flags', fault: 'ignores requireFlags', break: ignore('requireFlags') },
  { rule: 'htsget.extensions.exclude-flags', fault: 'ignores excludeFlags', break: ignore('excludeFlags') },
  { rule: 'htsget.extensions.mapping-quality', fault: 'ignores minMappingQuality', break: ignore('minMappingQuality') },
  {
    rule: 'htsget.extensions.mapping-quality',
    fault: 'loses a read',
    break: changeRecords(
      ({ searchParams }) => searchParams.has('minMappingQuality'),
      (records) => records.slice(1),
    ),
  },
  { rule: 'htsget.extensions.samples', fault: 'ignores samples', break: ignore('samples') },
  { rule: 'htsget.extensions.crypt4gh', fault: 'ignores encryptionScheme', break: ignore('encryptionScheme') },
  {
    rule: 'htsget.extensions.crypt4gh',
    fault: 'encrypts for another key',
    break: changeRequestHeaders(
      ({ searchParams }) => searchParams.has('encryptionScheme'),
      (headers) => headers.set('htsget-context-public-key', 'h0Eg3U2sQ4kCkAiUhDcYDyUqMa1DD3h4sHsqBKtmJzU='),
    ),
  },
  { rule: 'htsget.extensions.query', fault: 'fails for QUERY', break: withStatus(500, isQuery) },
  {
    rule: 'htsget.extensions.query',
    fault: 'ignores the body of QUERY',
    break: onRequests(isQuery, (request, serve) => serve(new Request(`${request.url}?format=BAM&class=header`))),
  },
];
