import type { ObjectCatalogue, ObjectEntry } from '@htskit/catalogue';
import type { HtsgetOptions, PermittedSamples, StoredFile } from '@htskit/htsget';
import { availableFormats } from '@htskit/htsget/internal';
import { type Datatype, HtsgetError, type HtsgetFormat, type HtsgetRegion } from '@htskit/protocol';

/** An object and the formats that it can be answered in. */
export interface ListedObject {
  readonly datatype: Datatype;
  readonly id: string;
  readonly formats: readonly HtsgetFormat[];
  /** True if a file of the object is stored encrypted. */
  readonly isEncrypted?: true;
}

/** The objects that a request may see. */
export interface ObjectListing {
  readonly objects: readonly ListedObject[];
  /** Whether no further objects follow. */
  readonly isComplete: boolean;
  /** The name of the last object, after which the next page begins; undefined if the listing is complete or empty. */
  readonly next?: string;
  /** Why the token of the request was refused, if it was. */
  readonly refusal?: string;
}

/** Which objects are listed. */
export interface ListQuery {
  /** A text that their datatypes and ids contain, in any letter case. */
  readonly search?: string;
  readonly datatype?: string;
  /** A format in which they can be answered. */
  readonly format?: string;
  /** The name after which the page begins, such as `reads/NA12878`. */
  readonly after?: string;
}

/** Returns the query of a URL. */
export function toListQuery(parameters: { get(name: string): string | null }): ListQuery {
  const names = ['search', 'datatype', 'format', 'after'] as const;
  const given = names.map((name) => [name, parameters.get(name)] as const).filter(([, value]) => value !== null);
  return Object.fromEntries(given);
}

export interface VisibleObjectsOptions extends Pick<HtsgetOptions, 'authorize' | 'conversions'> {
  readonly catalogue: Pick<ObjectCatalogue, 'list' | 'listFor'>;
  /** Milliseconds since any point in time. Default: `performance.now`. */
  readonly now?: () => number;
}

/** The most objects that are listed, and that a request looks for in order to list those that it may see. */
const LISTED_OBJECTS = 100;
const EXAMINED_OBJECTS = 200;
/** The most decisions of a listing that are made at once. Node warns if more than ten listeners wait for one signal. */
const CONCURRENT_DECISIONS = 8;
/** Milliseconds after which a listing begins no further decisions. */
const EXAMINATION_MILLISECONDS = 5000;
/** A listing reads whole folders, or requests the keys of a bucket. */
const CACHE_MILLISECONDS = 10_000;

/** The part of an object that a request may see. */
export interface VisiblePart {
  readonly regions: 'all' | readonly HtsgetRegion[];
  /** Default: all samples. */
  readonly samples?: PermittedSamples;
}

type ObjectId = Pick<ListedObject, 'datatype' | 'id'>;

/** The objects of a catalogue as each request may see them. */
export class VisibleObjects {
  readonly #options: VisibleObjectsOptions;
  readonly #now: () => number;
  #cached: { readonly entries: Promise<readonly ObjectEntry[]>; expires: number } | undefined;

  constructor(options: VisibleObjectsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Lists a page of the objects that a query selects. Throws the same errors as `permissionOf`. Objects that are not decided in time
   * are on the next page.
   */
  async list(request: Request, query: ListQuery = {}): Promise<ObjectListing> {
    // What a store shows to one user is not cached for others, and an archive that does not respond hides only its own objects.
    const own = (await this.#options.catalogue.listFor?.(request).catch(() => [])) ?? [];
    const entries = this.#select([...(await this.#list()), ...own], query);
    const refusals = new Set<string>();
    const { visible, examined } = await this.#examine(request, entries.slice(0, EXAMINED_OBJECTS), refusals);
    const objects = visible.slice(0, LISTED_OBJECTS).map((entry) => this.#describe(entry));
    const isComplete = examined === entries.length && visible.length <= LISTED_OBJECTS;
    // The name of an object that the request may not see must not be known to it.
    const last = objects.at(-1);
    const [refusal] = request.headers.has('authorization') ? refusals : [];
    return {
      objects,
      isComplete,
      ...(!isComplete && last !== undefined && { next: nameOf(last) }),
      ...(objects.length === 0 && refusal !== undefined && { refusal }),
    };
  }

  #select(
    entries: readonly ObjectEntry[],
    { search = '', datatype = '', format = '', after }: ListQuery,
  ): readonly ObjectEntry[] {
    const wanted = search.toLowerCase();
    const selected = entries.filter(
      (entry) =>
        nameOf(entry).toLowerCase().includes(wanted) &&
        (datatype === '' || entry.datatype === datatype) &&
        (format === '' || this.#describe(entry).formats.some((known) => known === format.toUpperCase())),
    );
    if (after === undefined) return selected;
    const at = selected.findIndex((entry) => nameOf(entry) === after);
    // The object may be gone: catalogues list objects by their ids.
    return at === -1 ? selected.filter((entry) => isAfter(entry, after)) : selected.slice(at + 1);
  }

  #describe({ datatype, id, formats, encrypted }: ObjectEntry): ListedObject {
    const files = formats.map((format) => ({ format, isEncrypted: encrypted?.includes(format) }));
    return { datatype, id, ...this.describeFiles(files, datatype) };
  }

  /**
   * Finds entries that the request may see, in order, until there are enough or time is up. A hook may send a request for each
   * decision, so that some are made at once.
   */
  async #examine(
    request: Request,
    entries: readonly ObjectEntry[],
    refusals: Set<string>,
  ): Promise<{ readonly visible: readonly ObjectEntry[]; readonly examined: number }> {
    const visible = new Set<number>();
    const deadline = this.#now() + EXAMINATION_MILLISECONDS;
    let next = 0;
    let isOver = false;
    const examine = async (): Promise<void> => {
      // The client has left if the signal is aborted.
      while (next < entries.length && !isOver && visible.size < LISTED_OBJECTS && !request.signal.aborted) {
        const index = next++;
        const entry = entries[index];
        if (entry !== undefined && (await this.permissionOf(request, entry, refusals)) !== undefined)
          visible.add(index);
        isOver ||= this.#now() >= deadline;
      }
    };
    const examinations = Array.from({ length: CONCURRENT_DECISIONS }, examine);
    try {
      await Promise.all(examinations);
    } finally {
      isOver = true;
    }
    // Every entry before the next one is examined.
    return { visible: entries.filter((_, index) => visible.has(index)), examined: next };
  }

  /** Returns the formats in which an object with these files can be answered, and whether some are encrypted. */
  describeFiles(
    files: readonly Pick<StoredFile, 'format' | 'isEncrypted'>[],
    datatype: Datatype,
  ): Pick<ListedObject, 'formats' | 'isEncrypted'> {
    const { conversions } = this.#options;
    const formats = availableFormats(files, datatype, { conversions });
    return { formats, ...(files.some(({ isEncrypted }) => isEncrypted) && { isEncrypted: true }) };
  }

  /**
   * Returns what a request may see of an object, or undefined for nothing. Throws if that cannot be decided. Adds to `refusals` why
   * a token is not valid.
   */
  async permissionOf(
    request: Request,
    { datatype, id }: ObjectId,
    refusals: Set<string> = new Set(),
  ): Promise<VisiblePart | undefined> {
    const { authorize } = this.#options;
    if (authorize === undefined) return { regions: 'all' };
    try {
      const permission = await authorize({ request, datatype, id, signal: request.signal });
      if (permission === 'unauthenticated' || permission === 'forbidden') return undefined;
      return permission === 'all' ? { regions: 'all' } : permission;
    } catch (error) {
      // The hook throws for a request without a valid token, which may see other objects.
      if (request.signal.aborted) return undefined;
      if (!(error instanceof HtsgetError) || error.status >= 500) throw error;
      if (error.status === 401) refusals.add(error.message);
      return undefined;
    }
  }

  #list(): Promise<readonly ObjectEntry[]> {
    if (this.#cached === undefined || this.#cached.expires <= this.#now()) {
      // A bucket whose keys may not be listed is served all the same.
      const entries = this.#options.catalogue.list().catch(() => []);
      // Expires only once it is complete, so that slow listings do not overlap.
      const cached = { entries, expires: Number.POSITIVE_INFINITY };
      this.#cached = cached;
      void entries.then(() => {
        cached.expires = this.#now() + CACHE_MILLISECONDS;
      });
    }
    return this.#cached.entries;
  }
}

function nameOf({ datatype, id }: ObjectId): string {
  return `${datatype}/${id}`;
}

/** Orders objects by their ids, then by their datatypes, as catalogues list them. */
function compareIds(a: ObjectId, b: ObjectId): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return a.datatype < b.datatype ? -1 : a.datatype > b.datatype ? 1 : 0;
}

function isAfter(entry: ObjectId, name: string): boolean {
  const slash = name.indexOf('/');
  const [datatype, id] = [name.slice(0, slash) as Datatype, name.slice(slash + 1)];
  return compareIds(entry, { datatype, id }) > 0;
}
