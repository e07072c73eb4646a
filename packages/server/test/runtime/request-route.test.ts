import { expect, test } from 'vitest';
import { routeOf } from '../../src/runtime/request-route.js';

test.each([
  ['/', '/', undefined],
  ['/healthz?x=1', '/healthz', undefined],
  ['/healthz/', 'other', undefined],
  ['http://a.example/readyz', '/readyz', undefined],
  ['/docs', '/docs', undefined],
  ['/igv/session.json?genome=a', '/igv/session.json', undefined],
  ['/igv/desktop.json', '/igv/desktop.json', undefined],
  ['/jbrowse/config.json', '/jbrowse/config.json', undefined],
  ['/jbrowse/htskit.umd.js', '/jbrowse/htskit.umd.js', undefined],
  ['/jbrowse/other.js', 'other', undefined],
  ['/page/objects/reads/a?x=1', '/page/{file}', undefined],
  ['/page', 'other', undefined],
  ['/reads/service-info', '/reads/service-info', undefined],
  ['/reads/a/b%20c?referenceName=chr1', '/reads/{id}', 'reads/a/b c'],
  ['/variants/%zz', 'other', undefined],
  ['/blocks/abc.def', '/blocks/{token}', undefined],
  ['/coverage/a/b?referenceName=chr1', '/coverage/{id}', 'coverage/a/b'],
  ['/coverage/a.bw', '/coverage/{id}.bw', 'coverage/a'],
  ['/coverage/..%2Fa', 'other', undefined],
  ['/ga4gh/drs/v1/service-info', '/ga4gh/drs/v1/service-info', undefined],
  ['/ga4gh/drs/v1/objects', '/ga4gh/drs/v1/objects', undefined],
  ['/ga4gh/drs/v1/objects/access', '/ga4gh/drs/v1/objects/access', undefined],
  ['/ga4gh/drs/v1/objects/a%2Fb.bam', '/ga4gh/drs/v1/objects/{object_id}', 'drs/a/b.bam'],
  [
    '/ga4gh/drs/v1/objects/a%2Fb.bam/access/https',
    '/ga4gh/drs/v1/objects/{object_id}/access/{access_id}',
    'drs/a/b.bam',
  ],
  ['/fasta/objects/abc/index', '/fasta/objects/{object_id}/index', 'drs/abc'],
  ['/ga4gh/drs/v2/objects/a', 'other', undefined],
  ['/files/a/b.bam?token=x', '/files/{path}', 'files/a/b.bam'],
  ['/files/..%2Fa.bam', 'other', undefined],
  ['/sequence/service-info', '/sequence/service-info', undefined],
  ['/sequence/abc/metadata/', '/sequence/{id}/metadata', 'sequence/abc'],
  ['/sequence/abc?start=1', '/sequence/{id}', 'sequence/abc'],
  ['/seqrepo/1/ping', '/seqrepo/1/ping', undefined],
  ['/seqrepo/1/sequence/refseq:NM_1.2?start=1', '/seqrepo/1/sequence/{alias}', 'sequence/refseq:NM_1.2'],
  ['/seqrepo/1/metadata/GRCh38%3Achr1', '/seqrepo/1/metadata/{alias}', 'sequence/GRCh38:chr1'],
  ['/seqrepo/2/ping', 'other', undefined],
  ['/seqrepo', 'other', undefined],
  ['/collection/abc', '/collection/{digest}', 'collection/abc'],
  ['/comparison/a', '/comparison/{a}', 'comparison/a'],
  ['/comparison/a/b', '/comparison/{a}/{b}', 'comparison/a/b'],
  ['/attribute/collection/names/abc', '/attribute/collection/{attribute}/{digest}', 'attribute/collection/names/abc'],
  ['/list/collection', '/list/collection', 'list/collection'],
  ['/service-info/', '/service-info', undefined],
  ['/sequence/a/b/c', 'other', undefined],
  ['/nowhere', 'other', undefined],
  ['*', 'other', undefined],
  ['/reads/../sequence/abc', '/sequence/{id}', 'sequence/abc'],
  ['http://a.example?x', '/', undefined],
  ['/reads\\a', 'other', undefined],
  ['/reads/a\\b', '/reads/{id}', 'reads/a\\b'],
  ['/sequence\\abc', 'other', undefined],
  ['/sequence/abc\\metadata', '/sequence/{id}', 'sequence/abc\\metadata'],
  ['/sequence\\service-info', 'other', undefined],
  ['\\reads\\a', 'other', undefined],
  ['http://a.example\\reads/a', 'other', undefined],
])('classifies %s as %s', (target, template, object) => {
  const route = routeOf(target);
  expect(route.template).toBe(template);
  expect(route.nameObject?.()).toBe(object);
});

test('cuts a long object name', () => {
  expect(routeOf(`/reads/${'a'.repeat(100_000)}`).nameObject?.()).toHaveLength(257);
});
