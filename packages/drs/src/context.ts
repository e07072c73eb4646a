import { DrsError } from './drs-error.js';
import type { DrsBundle, DrsFile } from './drs-object.js';
import type { DrsEvent } from './events.js';
import type { FileUrlSigner } from './files/file-url.js';
import type { DrsSettings } from './options.js';
import { isPossibleId } from './path.js';
import { checkDrsPermission, type DrsGrant } from './permission.js';

/** A request and the service that answers it. */
export interface DrsContext {
  readonly settings: DrsSettings;
  readonly signer: FileUrlSigner;
  readonly request: Request;
}

export interface OpenContext extends DrsContext {
  /** The passports of the request. */
  readonly passports: readonly string[];
  readonly setGrant?: (grant: DrsGrant) => void;
}

/** An object with what the request may see of it. */
export interface OpenedObject<Found extends DrsFile | DrsBundle = DrsFile | DrsBundle> {
  readonly object: Found;
  readonly grant: DrsGrant;
}

const WHOLE: DrsGrant = { isWhole: true, subject: undefined };

/** Returns what a request may see of an object. Throws `DrsError` if it may see nothing, and what the hook throws. */
export async function authorize(
  id: string,
  passports: readonly string[],
  { settings, request }: Pick<DrsContext, 'settings' | 'request'>,
): Promise<DrsGrant> {
  const { authorize: decide } = settings;
  if (decide === undefined) return WHOLE;
  return checkDrsPermission(await decide({ request, id, passports, signal: request.signal }));
}

/** Returns whether everybody may see all of an object, so that requests for it need no authorization. */
export async function isPublic(id: string, context: Pick<DrsContext, 'settings' | 'request'>): Promise<boolean> {
  if (context.settings.authorize === undefined) return true;
  const anonymous = new Request(context.request.url);
  try {
    return (await authorize(id, [], { ...context, request: anonymous })).isWhole;
  } catch {
    // Whatever the reason: without authorization, the object cannot be seen.
    return false;
  }
}

/** Finds an object that was authorized. Throws `DrsError` NOT_FOUND. */
export async function findObject(id: string, { settings, request }: DrsContext): Promise<DrsFile | DrsBundle> {
  const { signal, headers } = request;
  const object = isPossibleId(id) ? await settings.resolve(id, { signal, headers }) : undefined;
  if (object === undefined) throw new DrsError('NOT_FOUND', 'there is no object with this id');
  return object;
}

/** Authorizes a request for an object, and finds the object. Calls `setGrant` before it is looked up. */
export async function openObject(id: string, { passports, setGrant, ...context }: OpenContext): Promise<OpenedObject> {
  const grant = await authorize(id, passports, context);
  setGrant?.(grant);
  return { object: await findObject(id, context), grant };
}

/** Returns an id without the prefix of compact identifiers. */
export function withoutCompactPrefix(id: string, { compactPrefix }: Pick<DrsSettings, 'compactPrefix'>): string {
  const prefix = `${compactPrefix}:`;
  return compactPrefix !== undefined && id.startsWith(prefix) ? id.slice(prefix.length) : id;
}

/** Returns the outcome of a status, for access events. */
export function outcomeOf(status: number): DrsEvent['outcome'] {
  if (status < 400) return 'completed';
  return status < 500 ? 'refused' : 'failed';
}

/** Emits the access event of an object. */
export function emitAccess(
  { settings, request }: DrsContext,
  event: Pick<DrsEvent, 'resource' | 'id' | 'status' | 'bytes' | 'outcome'> & { readonly grant: DrsGrant | undefined },
): void {
  if (!settings.hasListener) return;
  const { grant, ...rest } = event;
  settings.onEvent({
    type: 'access',
    ...rest,
    isRestricted: grant?.isWhole === false,
    subject: grant?.subject,
    requestId: request.headers.get('x-request-id') ?? undefined,
  });
}

/** Returns the refusal of the bytes of an object that may be seen only in part, or that is not sent as it is. */
export function refusalOf({ object, grant }: OpenedObject): DrsError | undefined {
  if (object.kind === 'bundle') return grant.isWhole ? undefined : new DrsError('FORBIDDEN', LIMITED);
  const advice = object.htsgetUrl === undefined ? '' : '; request it from the htsget service that the object names';
  if (!grant.isWhole) return new DrsError('FORBIDDEN', `${LIMITED}${advice}`);
  return object.refusal === undefined ? undefined : new DrsError('FORBIDDEN', `${object.refusal}${advice}`);
}

const LIMITED = 'access is limited to a part of this object';
