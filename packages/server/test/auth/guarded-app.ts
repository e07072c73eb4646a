import { createHtsgetHandler, type HtsgetOptions, type StoredFile } from '@htskit/htsget';
import { createCatalogue, createCollectionCatalogue, createRefgetHandler } from '@htskit/refget';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { authSection, createAuthorization } from '../../src/auth/auth-section.js';
import { dispatch, type FetchHandler } from '../dispatch.js';

const PUBLIC_URL = 'http://localhost';

const reads: StoredFile = {
  format: 'BAM',
  data: memorySource(readFixture('reads.bam'), { key: 'reads.bam', version: '1' }),
  index: memorySource(readFixture('reads.bam.bai'), { key: 'reads.bam.bai', version: '1' }),
};
const variants: StoredFile = {
  format: 'VCF',
  data: memorySource(readFixture('variants.vcf.gz'), { key: 'variants.vcf.gz', version: '1' }),
  index: memorySource(readFixture('variants.vcf.gz.tbi'), { key: 'variants.vcf.gz.tbi', version: '1' }),
};

interface AppOptions {
  readonly onError?: (error: unknown) => void;
  readonly onEvent?: NonNullable<HtsgetOptions['onEvent']>;
  /** Folder of the section's paths. */
  readonly directory?: string;
}

/** Both services as a configuration guards them. Every id is an object but those that begin with `missing`; `lost` fails. */
export async function guardedApp(
  auth: object,
  { onError = () => undefined, onEvent = () => undefined, directory }: AppOptions = {},
): Promise<FetchHandler> {
  const { access, signingKeys } = await createAuthorization(authSection.parse(auth), {
    directory,
  });
  return dispatch({
    htsget: createHtsgetHandler({
      resolve: async (id, datatype) => {
        if (id === 'lost') throw new Error('the storage is lost');
        return id.startsWith('missing') ? undefined : [datatype === 'reads' ? reads : variants];
      },
      publicUrl: PUBLIC_URL,
      onError,
      onEvent,
      ...(access !== undefined && { authorize: access.htsget }),
      ...(signingKeys !== undefined && { signingKeys }),
    }),
    refget: createRefgetHandler({
      catalogue: createCatalogue([]),
      collections: createCollectionCatalogue([]),
      onError,
      ...(access !== undefined && { authorize: access.refget }),
    }),
  });
}

/** A request with a token, or with none. */
export function ask(path: string, token?: string, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return new Request(PUBLIC_URL + path, { ...init, headers });
}
