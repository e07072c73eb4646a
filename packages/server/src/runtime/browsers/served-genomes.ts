import type { ObjectCatalogue } from '@htskit/catalogue';
import type { CoverageSummaries } from '@htskit/coverage/handler';
import type { StoredFile } from '@htskit/htsget';
import { isDeliveredPlain } from '@htskit/htsget/internal';
import { LruCache } from '@htskit/io';
import type { CollectionCatalogue, RefgetOptions, SequenceCollection } from '@htskit/refget';
import { mayReadCollection } from '../service/collection-names.js';
import { findVisibleExample } from '../service/visible-example.js';
import type { ListedObject, VisibleObjects } from '../service/visible-objects.js';
import { FileReferences, type References } from './file-references.js';

/** An object that a browser can show on a genome. */
export interface ShownObject extends ListedObject {
  /** Whether there is a bigWig file of its depth that the request may see. */
  readonly hasDepth: boolean;
}

/** The objects that the request may see and that have the same references. */
interface Genome {
  readonly objects: readonly ShownObject[];
  /** A place with records of an object, `NAME:FIRST-LAST` and 1-based, or the first sequence. */
  readonly locus: string;
}

/** A genome that the server has, with its objects. */
export interface ServedGenome extends Genome {
  /** The digest of its collection. */
  readonly digest: string;
}

/** References that objects name and whose sequences the server lacks. */
export interface NamedGenome extends Genome {
  readonly references: readonly { readonly name: string; readonly length: number }[];
}

/** The genomes of all objects that a request may see, those of the most objects first. */
export interface GenomeListing {
  readonly served: readonly ServedGenome[];
  readonly named: readonly NamedGenome[];
}

/** Returns the path of an object, with a slash at its start. */
export function objectPath(area: string, id: string): string {
  return `/${area}/${id.split('/').map(encodeURIComponent).join('/')}`;
}

export interface ServedGenomesOptions {
  readonly catalogue: Pick<ObjectCatalogue, 'resolve'>;
  readonly visible: Pick<VisibleObjects, 'list' | 'permissionOf'>;
  readonly collections: Pick<CollectionCatalogue, 'find' | 'list'>;
  /** Whether objects that are stored encrypted are answered plain. Otherwise they cannot be shown. Default false. */
  readonly plainDelivery?: boolean | undefined;
  /** Decides on the FASTA of a collection. Default: everybody may see it. */
  readonly authorize?: RefgetOptions['authorize'];
  /** Finds the bigWig files. Default: there are none. */
  readonly summaries?: CoverageSummaries | undefined;
}

/** Collections that objects are compared with. */
const MOST_GENOMES = 20;
/** Names of a collection that are compared. A collection may have millions. */
const MOST_NAMES = 100_000;
/** Objects whose headers are read at once. */
const CONCURRENCY = 4;

interface ExaminedObject {
  readonly object: ListedObject;
  readonly file: StoredFile;
  readonly references: References;
}

/** Finds the genomes of objects, by the names and lengths of their references. */
export class ServedGenomes {
  readonly #options: ServedGenomesOptions;
  readonly #references = new FileReferences();
  readonly #lengths = new LruCache<ReadonlyMap<string, number>>({ maxWeight: MOST_NAMES * 4 });

  constructor(options: ServedGenomesOptions) {
    this.#options = options;
  }

  /** Lists the genomes that a request may see. Throws the same errors as `VisibleObjects.list`. */
  async list(request: Request): Promise<GenomeListing> {
    const collections = await this.#listCollections(request);
    const { objects } = await this.#options.visible.list(request);
    const examined = await this.#examine(objects);
    const byGenome = new Map(collections.map((collection) => [collection, [] as ExaminedObject[]]));
    const byReferences = new Map<string, ExaminedObject[]>();
    for (const each of examined) {
      const genome = await this.#findGenome(collections, each.references);
      const key = JSON.stringify([...each.references]);
      if (genome !== undefined) byGenome.get(genome)?.push(each);
      else byReferences.set(key, [...(byReferences.get(key) ?? []), each]);
    }
    const served: ServedGenome[] = [];
    const named: NamedGenome[] = [];
    // One after another: Node warns if more than ten decisions wait for the signal of the request.
    for (const [{ digest, arrays }, members] of byGenome) {
      const first = `${arrays.names.at(0)}:1-${arrays.lengths.at(0)}`;
      served.push({ digest, ...(await this.#describe(request, members, first)) });
    }
    for (const members of byReferences.values()) {
      const references = withLengths(members[0]?.references);
      const [first] = references;
      if (first === undefined) continue;
      const locus = `${first.name}:1-${first.length}`;
      named.push({ references, ...(await this.#describe(request, members, locus)) });
    }
    return { served: served.sort(byCount), named: named.sort(byCount) };
  }

  async #listCollections(request: Request): Promise<readonly SequenceCollection[]> {
    const { digests } = await this.#options.collections.list({ filters: [], start: 0, limit: MOST_GENOMES });
    const found: SequenceCollection[] = [];
    for (const digest of digests) {
      const isVisible = await mayReadCollection(request, digest, this.#options.authorize);
      const collection = isVisible && (await this.#options.collections.find(digest));
      if (collection) found.push(collection);
    }
    return found;
  }

  /** Reads the references of objects. One that cannot be read is left out; its tickets say why. */
  async #examine(objects: readonly ListedObject[]): Promise<readonly ExaminedObject[]> {
    const examined: (ExaminedObject | undefined)[] = [];
    for (let at = 0; at < objects.length; at += CONCURRENCY) {
      const group = objects.slice(at, at + CONCURRENCY).map(async (object) => {
        const files = (await this.#options.catalogue.resolve(object.id, object.datatype)) ?? [];
        const isShown = files.every((file) => isDeliveredPlain(file, this.#options));
        const [file] = isShown ? files : [];
        return file && { object, file, references: await this.#references.read(file) };
      });
      examined.push(...(await Promise.all(group.map((each) => each.catch(() => undefined)))));
    }
    return examined.filter((each) => each !== undefined);
  }

  /** Returns the collection that shares the most references with a header; undefined if they share none. */
  async #findGenome(
    collections: readonly SequenceCollection[],
    references: References,
  ): Promise<SequenceCollection | undefined> {
    let best: { readonly collection: SequenceCollection; readonly count: number } | undefined;
    for (const collection of collections) {
      const lengths = await this.#lengthsOf(collection);
      const shared = [...references].filter(
        ([name, length]) => lengths.has(name) && (length === undefined || lengths.get(name) === length),
      );
      if (shared.length > (best?.count ?? 0)) best = { collection, count: shared.length };
    }
    return best?.collection;
  }

  #lengthsOf({ digest, arrays: { names, lengths } }: SequenceCollection): Promise<ReadonlyMap<string, number>> {
    return this.#lengths.load(digest, async () => {
      const value = new Map<string, number>();
      const count = Math.min(names.length, MOST_NAMES);
      for (let index = 0; index < count; index++) value.set(names.at(index) ?? '', lengths.at(index) ?? 0);
      return { value, weight: count };
    });
  }

  async #describe(request: Request, members: readonly ExaminedObject[], first: string): Promise<Genome> {
    const objects: ShownObject[] = [];
    for (const { object, file } of members) {
      objects.push({ ...object, hasDepth: await this.#hasDepth(request, object, file) });
    }
    return { objects, locus: (await this.#findLocus(request, members[0])) ?? first };
  }

  /** The depth of a whole file is for requests that may see all of it. */
  async #hasDepth(request: Request, object: ListedObject, file: StoredFile): Promise<boolean> {
    const { summaries, visible } = this.#options;
    if (object.datatype !== 'reads' || summaries === undefined) return false;
    const { version } = await file.data.stat();
    if ((await summaries.find(file, version)) === undefined) return false;
    const permission = await visible.permissionOf(request, object);
    return permission?.regions === 'all' && permission.samples === undefined;
  }

  async #findLocus(request: Request, member: ExaminedObject | undefined): Promise<string | undefined> {
    if (member === undefined) return undefined;
    const permission = await this.#options.visible.permissionOf(request, member.object);
    const region = permission && (await findVisibleExample(member.file, permission));
    if (region?.end === undefined) return undefined;
    return `${region.referenceName}:${(region.start ?? 0) + 1}-${region.end}`;
  }
}

const byCount = (a: Genome, b: Genome): number => b.objects.length - a.objects.length;

/** Returns the references whose lengths a header states. */
function withLengths(references: References = new Map()): NamedGenome['references'] {
  return Array.from(references, ([name, length]) => ({ name, length })).filter(
    (reference): reference is NamedGenome['references'][number] => reference.length !== undefined,
  );
}
