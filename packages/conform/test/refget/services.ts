import { isJsonObject } from '../../src/engine/answer.js';
import { createFaithfulService } from '../service/faithful-service.js';
import { changeJson } from '../service/faults.js';
import { FAITHFUL, type KeptService, once } from '../service/mutation-table.js';
import { isMetadata, isServiceInfo } from './requests.js';

/** Skips the objects of htsget. */
const options = { reads: [], variants: [] };

/** The faithful service. */
export const FAITHFUL_REFGET: KeptService = { ...FAITHFUL, options };

/** A service without support of circular sequences. */
export const WITHOUT_CIRCULAR: KeptService = {
  options,
  name: 'a service without circular sequences',
  create: once(() => createFaithfulService({}, { circularSupported: false })),
};

/** A service that limits parts to 2,000 bases. */
export const WITH_LIMIT: KeptService = {
  options,
  name: 'a service with a limit',
  create: once(() => createFaithfulService({}, { limits: { subsequence: 2000 } })),
};

/** A service that has MD5 only. */
export const WITH_MD5_ONLY: KeptService = {
  options,
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
