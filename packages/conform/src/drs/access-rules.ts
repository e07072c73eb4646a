import { createMd5 } from '@htskit/digest';
import { createSha256 } from '@htskit/digest/internal';
import { toHex } from '@htskit/io';
import { type Answer, describeAnswer, isJsonObject } from '../engine/answer.js';
import { allKept, broken, inapplicable, KEPT, type Rule, RuleEnd, type Verdict } from '../engine/rule.js';
import { expectStatus, expectValue } from '../refget/expect-answer.js';
import {
  askObject,
  type DescribedObject,
  type DrsSubject,
  describeObject,
  objectsOf,
  withBundle,
  withFile,
} from './drs-subject.js';

const RULE = { section: 'GetAccessURL', level: 'MUST', scope: 'object' } as const;
const DATA = { section: 'DrsObject', level: 'MUST', scope: 'object' } as const;

/** Bytes up to which a file is fetched. */
const FETCHED_BYTES = 32 * 1024 * 1024;

/** Returns the access id of the bytes over HTTPS. Ends the rule if there is none. */
function accessIdOf(file: DescribedObject): string {
  const ids = objectsOf(file, 'access_methods')
    .filter(({ type }) => type === 'https')
    .map(({ access_id: id }) => id);
  const id = ids.find((candidate) => typeof candidate === 'string');
  if (id === undefined) throw new RuleEnd(inapplicable('the object has no access id for https'));
  return id;
}

/** Returns the URL of the bytes, which the description has or which is requested by an access id. Ends the rule if there is none. */
async function findUrl(file: DescribedObject, subject: DrsSubject): Promise<string> {
  const methods = objectsOf(file, 'access_methods').filter(({ type }) => type === 'https');
  const urls = methods.map(({ access_url: access }) => (isJsonObject(access) ? access['url'] : undefined));
  const url = urls.find((candidate) => typeof candidate === 'string');
  if (url !== undefined) return url;
  const answer = await askObject(subject, String(file.object['id']), `/access/${encodeURIComponent(accessIdOf(file))}`);
  const requested = answer.object?.['url'];
  if (typeof requested === 'string') return requested;
  throw new RuleEnd(broken(answer, { expected: 'an access URL', found: describeAnswer(answer) }));
}

/** Fetches the bytes of a file. Ends the rule if it is too large. */
async function fetchBytes(file: DescribedObject, subject: DrsSubject): Promise<Answer> {
  if (Number(file.object['size']) > FETCHED_BYTES)
    throw new RuleEnd(inapplicable('the file is too large to be fetched'));
  const url = await findUrl(file, subject);
  return subject.probe.ask({ url, isAuthorized: new URL(url).origin === new URL(subject.endpoint).origin });
}

/** Computes the checksums whose types are known here. */
const DIGESTS: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  md5: (bytes) => digest(createMd5(), bytes),
  'sha-256': (bytes) => digest(createSha256(), bytes),
  sha256: (bytes) => digest(createSha256(), bytes),
};

function digest(hasher: ReturnType<typeof createMd5>, bytes: Uint8Array): string {
  hasher.update(bytes);
  return toHex(hasher.digest());
}

/** Compares the checksums of known types with those of bytes. */
function expectChecksums(
  described: DescribedObject,
  bytesOf: (type: string) => Uint8Array | undefined,
): Promise<Verdict> {
  const checks = objectsOf(described, 'checksums').map(({ type, checksum }) => () => {
    const compute = DIGESTS[String(type)];
    const bytes = compute && bytesOf(String(type));
    if (compute === undefined || bytes === undefined) return KEPT;
    return expectValue(described.answer, `${String(type)} checksum`, {
      expected: compute(bytes),
      found: typeof checksum === 'string' ? checksum.toLowerCase() : checksum,
    });
  });
  return allKept(checks);
}

export const DRS_ACCESS_RULES: readonly Rule<DrsSubject>[] = [
  {
    ...RULE,
    id: 'drs.access.url',
    title: 'answers an access id with a URL',
    run: withFile(async (file, subject) => {
      const path = `/access/${encodeURIComponent(accessIdOf(file))}`;
      const answer = await askObject(subject, String(file.object['id']), path);
      if (answer.status === 200 && URL.canParse(String(answer.object?.['url']))) return KEPT;
      return broken(answer, { expected: 'status 200 and "url"', found: describeAnswer(answer) });
    }),
  },
  {
    ...RULE,
    id: 'drs.access.unknown',
    title: 'answers 404 for an unknown access id',
    run: withFile(async (file, subject) =>
      expectStatus(await askObject(subject, String(file.object['id']), '/access/htskit-conform'), 404),
    ),
  },
  {
    ...DATA,
    id: 'drs.data.status',
    title: 'sends the bytes of a file',
    run: withFile(async (file, subject) => expectStatus(await fetchBytes(file, subject), 200)),
  },
  {
    ...DATA,
    id: 'drs.data.size',
    title: 'sends as many bytes as the size of the object',
    run: withFile(async (file, subject) => {
      const answer = await fetchBytes(file, subject);
      if (answer.status !== 200) return inapplicable('the service does not send the bytes');
      return expectValue(answer, 'bytes', { expected: file.object['size'], found: answer.body.length });
    }),
  },
  {
    ...DATA,
    id: 'drs.data.checksums',
    title: 'has the checksums of the bytes that it sends',
    run: withFile(async (file, subject) => {
      const { status, body } = await fetchBytes(file, subject);
      if (status !== 200) return inapplicable('the service does not send the bytes');
      return expectChecksums(file, () => body);
    }),
  },
  {
    ...DATA,
    id: 'drs.bundle.checksums',
    title: 'has the checksums of the sorted checksums of its contents for a bundle',
    run: withBundle(async (bundle, subject) => {
      const members: DescribedObject[] = [];
      for (const { id } of objectsOf(bundle, 'contents')) members.push(await describeObject(subject, String(id)));
      return expectChecksums(bundle, (type) => {
        const found = members.map(
          (member) => objectsOf(member, 'checksums').find((each) => each['type'] === type)?.['checksum'],
        );
        if (!found.every((checksum) => typeof checksum === 'string')) return undefined;
        return new TextEncoder().encode(found.toSorted().join(''));
      });
    }),
  },
  {
    ...DATA,
    id: 'drs.bundle.size',
    title: 'has the sum of the sizes of its contents as the size of a bundle',
    run: withBundle(async (bundle, subject) => {
      let expected = 0;
      for (const { id } of objectsOf(bundle, 'contents')) {
        expected += Number((await describeObject(subject, String(id))).object['size']);
      }
      return expectValue(bundle.answer, 'size', { expected, found: bundle.object['size'] });
    }),
  },
];
