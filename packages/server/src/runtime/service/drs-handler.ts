import { fileCatalogue } from '@htskit/catalogue';
import {
  type Authorizations,
  type Checksums,
  createPlainDrsHandler,
  type DrsEvent,
  type DrsOptions,
  type PlainDrsHandler,
} from '@htskit/drs';
import type { HtsgetOptions } from '@htskit/htsget';
import type { RefgetOptions } from '@htskit/refget';
import type { ServedFiles } from './served-files.js';

/** How stored files are described, and sent as a whole. */
export interface DrsSettings extends Pick<DrsOptions, 'hostname' | 'compactPrefix' | 'limits'> {
  /** Whether there are `/ga4gh/drs/v1` and `/files`. Default true. */
  readonly enabled?: boolean | undefined;
  /** The folder that keeps checksums. Default: they are computed again after each start. */
  readonly cache?: string | undefined;
  /** How requests are authorized, if not everybody may see everything. */
  readonly authorizations?: Authorizations | undefined;
}

/** The parts of a server that its handler of DRS has for itself. */
export interface DrsHandlerOptions {
  readonly drs?: DrsSettings | undefined;
  readonly checksums?: Checksums | undefined;
  readonly onDrsEvent?: ((event: DrsEvent) => void) | undefined;
}

interface DrsServiceOptions
  extends DrsHandlerOptions,
    Pick<DrsOptions, 'publicUrl' | 'authority' | 'signingKeys' | 'serviceInfo'> {
  readonly htsget?: Pick<HtsgetOptions, 'authorize' | 'limits' | 'plainDelivery'>;
  readonly refget?: Pick<RefgetOptions, 'authorize'>;
  /** Reports the failure of a request to the operator. */
  readonly report: (
    error: unknown,
    subject: { readonly name: string | undefined; readonly requestId: string | undefined },
  ) => void;
}

/** Creates the handler of `/ga4gh/drs/v1` and `/files`, for the files of objects and sequences. */
export function createDrs(options: DrsServiceOptions, { objects, sequences }: ServedFiles): PlainDrsHandler {
  const { drs = {}, htsget = {}, refget = {}, publicUrl, authority, signingKeys, serviceInfo, report } = options;
  const { enabled: _, cache: __, ...settings } = drs;
  const { plainDelivery, limits: { postBodyBytes, blockUrlSeconds } = {} } = htsget;
  return createPlainDrsHandler({
    ...settings,
    ...fileCatalogue({
      objects,
      sequences,
      publicUrl,
      authorizeHtsget: htsget.authorize,
      authorizeRefget: refget.authorize,
      ...(plainDelivery !== undefined && { plainDelivery }),
    }),
    publicUrl,
    authority,
    signingKeys,
    checksums: options.checksums,
    serviceInfo: serviceInfo?.id === undefined ? serviceInfo : { ...serviceInfo, id: `${serviceInfo.id}.drs` },
    limits: { bodyBytes: postBodyBytes, urlSeconds: blockUrlSeconds, ...drs.limits },
    onEvent: options.onDrsEvent,
    onError: (error, id, requestId) => report(error, { name: id === undefined ? undefined : `files/${id}`, requestId }),
  });
}
