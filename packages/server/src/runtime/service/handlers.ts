import {
  type CoverageOptions,
  type CoverageSummaries,
  createPlainCoverageHandler,
  type PlainCoverageHandler,
} from '@htskit/coverage/handler';
import { createPlainHtsgetHandler, FileLoader, type HtsgetOptions, type PlainHtsgetHandler } from '@htskit/htsget';
import { errorResponse, toHtsgetError } from '@htskit/htsget/internal';
import type { PlainResponse } from '@htskit/http';
import { DATA_HEADERS } from '@htskit/http/internal';
import { type Authority, RefgetError, type ServiceInfoOptions } from '@htskit/protocol';
import {
  createPlainRefgetHandler,
  type PlainRefgetHandler,
  type RefgetObject,
  type RefgetOptions,
} from '@htskit/refget';
import { createPlainSeqRepoHandler, type PlainSeqRepoHandler } from '@htskit/refget/seqrepo';
import { describeError } from '../../errors.js';
import { PACKAGE_VERSION } from '../../package-version.js';
import { BrowserConfigs } from '../browsers/browser-configs.js';
import { type CorsOrigins, withOrigins } from '../cors.js';
import { coverageFiles } from '../coverage/coverage-files.js';
import type { CoverageFolder } from '../coverage/coverage-folder.js';
import type { CoverageMaker } from '../coverage/coverage-maker.js';
import { Page } from '../page/page.js';
import { createReferenceSource, type FurtherReferences } from '../references/reference-source.js';
import { type RequestRoute, type RoutedHandler, SEQREPO } from '../request-route.js';
import { type CollectionNames, readCollectionNames } from './collection-names.js';
import { createDrs, type DrsHandlerOptions, type DrsSettings } from './drs-handler.js';
import { type Features, featuresOf } from './features.js';
import { findFaults } from './file-faults.js';
import { answerOverview } from './overview.js';
import type { ServedFiles } from './served-files.js';
import { VisibleObjects } from './visible-objects.js';

/** How the files are served over both protocols. */
export interface ProtocolOptions {
  readonly authority: Authority;
  readonly htsget?: Pick<
    HtsgetOptions,
    | 'announcesRestrictions'
    | 'authorize'
    | 'conversions'
    | 'extensions'
    | 'limits'
    | 'plainDelivery'
    | 'precision'
    | 'program'
    | 'publicBlocks'
    | 'truncated'
  >;
  readonly refget?: Pick<
    RefgetOptions,
    'ambiguousIdentifier' | 'authorize' | 'circularSupported' | 'comparisonRules' | 'limits' | 'rangeOutOfBounds'
  >;
  /** Whether sequences are answered as SeqRepo answers them, too. Default true. */
  readonly seqrepo?: boolean;
  /** Whether the coverage of objects is answered, and whether bigWig files are made of it. Default `estimate`. */
  readonly coverage?: 'off' | 'estimate' | 'on';
  /** The folder of the bigWig files that are made. Default: those of local files lie beside them, and others are not made. */
  readonly coverageFolder?: CoverageFolder | undefined;
  readonly coverageLimits?: CoverageOptions['limits'];
  /** How stored files are described, and sent as a whole. */
  readonly drs?: DrsSettings | undefined;
  /** The sources of references that the sequences of the server lack. */
  readonly reference?: FurtherReferences;
  readonly serviceInfo?: ServiceInfoOptions;
  /** The origins whose scripts may read the responses. Default: all. */
  readonly origins?: CorsOrigins;
  /** Whether there is a web page at `/` and `/docs`. Default true. */
  readonly page?: boolean;
  /** The origins of the stores that send blocks themselves, which the page reads. Default: none. */
  readonly storeOrigins?: readonly string[];
}

/** The request that failed, as far as it is known. */
interface FailedRequest {
  /** The requested object, such as `reads/NA12878`. */
  readonly name: string | undefined;
  readonly requestId: string | undefined;
}

/** Returns a function that logs each failure once: a handler reports the failure of a body, and the server sees it again. */
export function createFailureLog(log: (message: string) => void): HandlersOptions['report'] {
  const reported = new WeakSet<object>();
  return (error, { name, requestId }) => {
    if (error instanceof Error && reported.has(error)) return;
    if (error instanceof Error) reported.add(error);
    const message = name === undefined ? describeError(error) : `${name}: ${describeError(error)}`;
    log(requestId === undefined ? message : `${message} (request ${requestId})`);
  };
}

export interface HandlersOptions extends ProtocolOptions, Pick<DrsHandlerOptions, 'checksums' | 'onDrsEvent'> {
  readonly htsget?: ProtocolOptions['htsget'] & Pick<HtsgetOptions, 'clientOf' | 'memory' | 'onEvent' | 'workers'>;
  /** Makes bigWig files. */
  readonly coverageMaker?: CoverageMaker;
  readonly publicUrl: string;
  readonly signingKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** Reports the failure of a request to the operator. */
  readonly report: (error: unknown, subject: FailedRequest) => void;
}

/** Creates the handler of all paths of a server. Throws RangeError for an invalid public URL. */
export function createHandler(options: HandlersOptions, files: ServedFiles): RoutedHandler {
  const { origins = '*' } = options;
  const features = featuresOf(options);
  const htsget = createHtsget(options, files);
  const refget = createRefget(options, files);
  const summaries = createSummaries(options);
  const coverage = summaries && createCoverage(options, { ...files, summaries });
  const seqrepo = features.seqrepo ? createSeqRepo(options, files) : undefined;
  const drs = features.drs ? createDrs(options, files) : undefined;
  const operation = createOperation(options, { ...files, summaries, features });
  return withOrigins((request, route) => {
    if (route.owner === 'refget') return refget(request, route.path);
    if (route.owner === 'coverage') return coverage?.(request, route.path) ?? htsget(request, NO_COVERAGE);
    if (route.owner === 'drs') return drs?.(request, route.path) ?? htsget(request, NO_DRS);
    if (route.owner === 'seqrepo') return seqrepo?.(request, route.path) ?? htsget(request, NO_SEQREPO);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (route.owner !== 'operation' || !isRead) return htsget(request, route.path);
    // Unknown operational paths get htsget's error bodies.
    return operation(request, route).then((response) => response ?? htsget(request, route.path));
  }, origins);
}

/** The paths of resources that are switched off. */
const NO_COVERAGE = { kind: 'unknown', message: 'this server answers no coverage' } as const;
const NO_DRS = { kind: 'unknown', message: 'this server answers neither DRS nor whole files' } as const;
const NO_SEQREPO = { kind: 'unknown', message: 'this server does not answer as SeqRepo does' } as const;

/** Creates the handler of the overview, the page and the configurations of browsers. It returns undefined for every other path. */
function createOperation(
  {
    publicUrl,
    storeOrigins = [],
    page: hasPage = true,
    htsget: { authorize, conversions, plainDelivery } = {},
    refget,
    reference,
    report,
  }: HandlersOptions,
  {
    objects: catalogue,
    sequences,
    summaries,
    hasLocal,
    features,
  }: ServedFiles & { readonly summaries: CoverageSummaries | undefined; readonly features: Features },
): (request: Request, route: Pick<RequestRoute, 'target'>) => Promise<PlainResponse | undefined> {
  const visible = new VisibleObjects({ catalogue, authorize, conversions });
  // Archives decide with the token of a request, too.
  const isGuarded = authorize !== undefined || catalogue.listFor !== undefined;
  const { collections } = sequences;
  const loader = new FileLoader();
  const { authorize: authorizeRefget } = refget ?? {};
  const collectionNames = (request: Request): Promise<CollectionNames> =>
    readCollectionNames(request, {
      collections,
      pathsOf: (digest) => sequences.pathsOf(digest),
      ...(authorizeRefget !== undefined && { authorize: authorizeRefget }),
    });
  const page = hasPage
    ? new Page({
        ...{ publicUrl, storeOrigins, catalogue, visible, isGuarded, collectionNames },
        findFaults: (file) => findFaults(file, { loader, reference: createReferenceSource(sequences, reference) }),
        checksListed: hasLocal,
      })
    : undefined;
  const browsers = new BrowserConfigs({
    ...{ publicUrl, catalogue, visible, collections, summaries, plainDelivery },
    ...(authorizeRefget !== undefined && { authorize: authorizeRefget }),
  });
  return async (request, { target }) => {
    const path = target?.split('?', 1)[0] ?? '';
    try {
      const response = (await browsers.answer(request, path)) ?? (await page?.answer(request, path));
      return response ?? (path === '/' ? await answerOverview(request, visible, features) : undefined);
    } catch (error) {
      report(error, { name: undefined, requestId: request.headers.get('x-request-id') ?? undefined });
      return errorResponse(toHtsgetError(error), { method: request.method, headers: DATA_HEADERS });
    }
  };
}

function createHtsget(
  { htsget, publicUrl, signingKeys, authority, serviceInfo, reference, report }: HandlersOptions,
  { objects, sequences, builtIndexes }: ServedFiles,
): PlainHtsgetHandler {
  return createPlainHtsgetHandler({
    ...htsget,
    builtIndexes,
    resolve: objects.resolve,
    publicUrl,
    signingKeys,
    authority,
    serviceInfo,
    reference: createReferenceSource(sequences, reference),
    onError: (error, object, requestId) =>
      report(error, { name: object && `${object.datatype}/${object.id}`, requestId }),
    onWarning: (warning, { datatype, id }) => report(warning, { name: `${datatype}/${id}`, requestId: undefined }),
  });
}

/** Returns undefined if coverage is switched off. */
function createSummaries({ coverage, coverageFolder, coverageMaker }: HandlersOptions): CoverageSummaries | undefined {
  if (coverage === 'off') return undefined;
  return coverageFiles({ maker: coverage === 'on' ? coverageMaker : undefined, folder: coverageFolder });
}

function createCoverage(
  { htsget: { authorize, onEvent, plainDelivery } = {}, coverageLimits, reference, report }: HandlersOptions,
  { objects, sequences, summaries }: ServedFiles & { readonly summaries: CoverageSummaries },
): PlainCoverageHandler {
  return createPlainCoverageHandler({
    resolve: objects.resolve,
    ...(authorize !== undefined && { authorize }),
    ...(onEvent !== undefined && { onEvent }),
    ...(plainDelivery !== undefined && { plainDelivery }),
    reference: createReferenceSource(sequences, reference),
    summaries,
    ...(coverageLimits !== undefined && { limits: coverageLimits }),
    onError: (error, object, requestId) =>
      report(error, { name: object && `${object.datatype}/${object.id}`, requestId }),
  });
}

function createRefget(
  { refget, authority, serviceInfo, report }: HandlersOptions,
  { sequences }: ServedFiles,
): PlainRefgetHandler {
  return createPlainRefgetHandler({
    ...refget,
    catalogue: sequences,
    collections: sequences.collections,
    authority,
    serviceInfo: serviceInfo?.id === undefined ? serviceInfo : { ...serviceInfo, id: `${serviceInfo.id}.refget` },
    onError: reportSequence(report),
  });
}

function createSeqRepo({ refget = {}, report }: HandlersOptions, { sequences }: ServedFiles): PlainSeqRepoHandler {
  const { authorize, limits } = refget;
  return createPlainSeqRepoHandler({
    ...(authorize !== undefined && { authorize }),
    ...(limits !== undefined && { limits }),
    catalogue: sequences,
    prefix: SEQREPO,
    version: PACKAGE_VERSION,
    onError: reportSequence(report),
  });
}

function reportSequence(report: HandlersOptions['report']): NonNullable<RefgetOptions['onError']> {
  return (error: unknown, object: RefgetObject | undefined, requestId: string | undefined) => {
    // A sequence that is still being digested is not a failure.
    if (error instanceof RefgetError) return;
    report(error, { name: object && `${object.resource}/${object.id}`, requestId });
  };
}
