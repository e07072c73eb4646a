import { isJsonObject } from '../../src/engine/answer.js';
import { createFaithfulService } from '../service/faithful-service.js';
import { changeJson } from '../service/faults.js';
import type { KeptService } from '../service/mutation-table.js';
import { isMetadata, isServiceInfo } from './requests.js';

/** A service without support of circular sequences. */
export const WITHOUT_CIRCULAR: KeptService = {
  name: 'a service without circular sequences',
  create: () => createFaithfulService({}, { circularSupported: false }),
};

/** A service that limits parts to 2,000 bases. */
export const WITH_LIMIT: KeptService = {
  name: 'a service with a limit',
  create: () => createFaithfulService({}, { limits: { subsequence: 2000 } }),
};

/** A service that has MD5 only. */
export const WITH_MD5_ONLY: KeptService = {
  name: 'a service that has MD5 only',
  breaks: ['refget.service-info.ga4gh'],
  create: async () => {
    const serve = await createFaithfulService();
    const info = changeJson(isServiceInfo, (document) => ({
      ...document,
      refget: { ...(document['refget'] as object), algorithms: ['md5'] },
    }));
    const metadata = changeJson(isMetadata, (document) => {
      if (!isJsonObject(document['metadata'])) return document;
      const { md5, length, aliases } = document['metadata'];
      return { metadata: { md5, ga4gh: null, length, aliases } };
    });
    return (request) => info(request, (asked) => metadata(asked, serve));
  },
};
