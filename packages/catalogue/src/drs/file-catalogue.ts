import type { DrsAuthorizeInput, DrsBundle, DrsFile, DrsOptions, Permission } from '@htskit/drs';
import type { AuthorizeInput, HtsgetOptions, StoredFile, StoredFormat } from '@htskit/htsget';
import { isDeliveredPlain } from '@htskit/htsget/internal';
import type { RefgetAuthorizeInput, RefgetOptions } from '@htskit/refget';
import { indexTypeOf, storedNameOf } from '../files/stored-key.js';
import type { ObjectCatalogue } from '../objects/object-catalogue.js';
import { toBundle } from './file-bundle.js';
import { type FileOwner, parseFileId } from './file-owner.js';
import { dataFileName, type ObjectFileName } from './object-file-name.js';
import { SequenceFiles, type ServedSequences } from './sequence-files.js';

export interface FileCatalogueOptions extends Pick<HtsgetOptions, 'plainDelivery'> {
  readonly objects: Pick<ObjectCatalogue, 'resolve'>;
  /** Default: no sequences. */
  readonly sequences?: ServedSequences | undefined;
  /** Absolute URL at which clients reach htsget (`/reads`, `/variants`) and refget (`/collection`). */
  readonly publicUrl: string;
  /** The hooks of the handlers of htsget and refget: who may see an object may see its files. Default: everybody may. */
  readonly authorizeHtsget?: HtsgetOptions['authorize'] | undefined;
  readonly authorizeRefget?: RefgetOptions['authorize'] | undefined;
}

/** The hooks of `createDrsHandler`. */
export interface FileCatalogue {
  readonly resolve: DrsOptions['resolve'];
  readonly authorize: DrsOptions['authorize'];
}

/** A request that a hook decides about. Authorizers of `@htskit/access` take passports in place of a token. */
type HookInput = Omit<DrsAuthorizeInput, 'id' | 'passports'> & Partial<Pick<DrsAuthorizeInput, 'passports'>>;

type ResolveContext = Parameters<DrsOptions['resolve']>[1];

const PERMITTED = 'all';

/**
 * Returns the files of objects and sequences for `createDrsHandler`. The id of a file is its name: `a.bam` and `a.bam.bai` of the object
 * `a`, `genome.fa`, and the digest of a sequence collection for its FASTA file. `reads/a`, `variants/a` and `collection/DIGEST` are
 * bundles.
 *
 * @example
 * const objects = await folderObjects('/data');
 * const publicUrl = 'https://data.example.org';
 * const handler = createDrsHandler({ publicUrl, ...fileCatalogue({ objects, publicUrl }) });
 */
export function fileCatalogue(options: FileCatalogueOptions): FileCatalogue {
  const { authorizeHtsget, authorizeRefget } = options;
  const catalogue = new ServedFileCatalogue(options);
  const isGuarded = authorizeHtsget !== undefined || authorizeRefget !== undefined;
  return {
    resolve: (id, context) => catalogue.resolve(id, context),
    authorize: isGuarded ? (input) => catalogue.authorize(input) : undefined,
  };
}

class ServedFileCatalogue {
  readonly #options: FileCatalogueOptions;
  readonly #sequences: SequenceFiles | undefined;

  constructor(options: FileCatalogueOptions) {
    this.#options = options;
    const { sequences, publicUrl } = options;
    this.#sequences = sequences && new SequenceFiles(sequences, publicUrl);
  }

  async resolve(id: string, context: ResolveContext): Promise<DrsFile | DrsBundle | undefined> {
    const owner = parseFileId(id);
    switch (owner?.kind) {
      case undefined:
        return undefined;
      case 'object-file':
        return this.#objectFile(owner, context);
      case 'object':
        return this.#objectBundle(owner, context);
      case 'collection':
      case 'sequence-file':
        return this.#sequences?.find(owner);
    }
  }

  /** Asks the hook of the protocol that answers the object. A name that stands for nothing is decided as an object of its name. */
  async authorize({ id, passports, ...input }: DrsAuthorizeInput): Promise<Permission> {
    const owner = parseFileId(id) ?? { kind: 'object', datatype: 'reads', id };
    return this.#authorizeOwner(owner, passports.length === 0 ? input : { ...input, passports });
  }

  async #authorizeOwner(owner: FileOwner, input: HookInput): Promise<Permission> {
    const { authorizeHtsget, authorizeRefget } = this.#options;
    if (owner.kind === 'object' || owner.kind === 'object-file') {
      const { datatype, id } = owner;
      const request: AuthorizeInput & HookInput = { ...input, datatype, id };
      const permission = authorizeHtsget === undefined ? PERMITTED : await authorizeHtsget(request);
      return owner.kind === 'object' ? permission : permissionOfFile(permission, owner.format);
    }
    if (authorizeRefget === undefined) return PERMITTED;
    const decide = async (resource: RefgetAuthorizeInput['resource'], id: string): Promise<Permission> => {
      const request: RefgetAuthorizeInput & HookInput = { ...input, resource, id };
      return authorizeRefget(request);
    };
    const digest = owner.kind === 'collection' ? owner.digest : await this.#sequences?.digestOf(owner.name);
    const permission = await decide('collection', `${digest ?? owner.kind}/fasta`);
    if (permission !== PERMITTED || digest === undefined) return permission;
    // The bases of each sequence need a permission of their own.
    for await (const sequence of this.#sequences?.sequencesOf(digest) ?? []) {
      const permitted = await decide('sequence', sequence);
      if (permitted !== PERMITTED) return permitted;
    }
    return PERMITTED;
  }

  async #objectFile(
    { datatype, id, format, index }: ObjectFileName,
    context: ResolveContext,
  ): Promise<DrsFile | undefined> {
    const file = (await this.#resolveObject({ datatype, id }, context)).find((each) => each.format === format);
    if (file === undefined) return undefined;
    if (index === undefined) return this.#toDataFile(file, { datatype, id });
    const type = file.index === undefined ? undefined : indexTypeOf(file.index);
    // A source whose key is not a path has no type.
    const hasType = type !== undefined && (type === index || !/^(?:BAI|CSI|CRAI|TBI)$/.test(type));
    return hasType ? this.#toIndexFile(file, { id, type: index }) : undefined;
  }

  async #objectBundle(
    object: Pick<ObjectFileName, 'datatype' | 'id'>,
    context: ResolveContext,
  ): Promise<DrsBundle | undefined> {
    const files = await this.#resolveObject(object, context);
    if (files.length === 0) return undefined;
    const names = files.flatMap((file) => {
      const data = dataFileName(object.id, file.format, storedNameOf(file.data));
      return file.index === undefined ? [data] : [data, `${data}.${indexTypeOf(file.index).toLowerCase()}`];
    });
    return toBundle(`${object.datatype}/${object.id}`, names);
  }

  /** Returns the files of an object, or none. */
  async #resolveObject(
    { datatype, id }: Pick<ObjectFileName, 'datatype' | 'id'>,
    context: ResolveContext,
  ): Promise<readonly StoredFile[]> {
    return (await this.#options.objects.resolve(id, datatype, context)) ?? [];
  }

  #toDataFile(file: StoredFile, { datatype, id }: Pick<ObjectFileName, 'datatype' | 'id'>): DrsFile {
    const { format, data, identity, checksums, locate } = file;
    const path = id.split('/').map(encodeURIComponent).join('/');
    return {
      ...this.#protect(file),
      kind: 'file',
      id: dataFileName(id, format, storedNameOf(data)),
      data,
      identity,
      checksums: checksums?.length === 0 ? undefined : checksums,
      mediaType: format === 'VCF' ? 'application/gzip' : undefined,
      htsgetUrl: `${this.#options.publicUrl}/${datatype}/${path}?format=${format}`,
      locate,
    };
  }

  #toIndexFile(file: StoredFile, { id, type }: { readonly id: string; readonly type: string }): DrsFile | undefined {
    const { index, format, data } = file;
    if (index === undefined) return undefined;
    const name = `${dataFileName(id, format, storedNameOf(data))}.${type.toLowerCase()}`;
    return { ...this.#protect(file), kind: 'file', id: name, data: index };
  }

  #protect(file: StoredFile): Pick<DrsFile, 'forwarded' | 'isSecret' | 'refusal'> {
    const { forwarded } = file;
    if (file.isEncrypted !== true) return { forwarded };
    return { forwarded, isSecret: true, refusal: isDeliveredPlain(file, this.#options) ? undefined : ENCRYPTED };
  }
}

/** Returns the permission for a file of one format: a limit to other formats permits nothing of it. */
function permissionOfFile(permission: Permission, format: StoredFormat): Permission {
  if (typeof permission !== 'object' || permission.formats === undefined) return permission;
  const { formats, ...others } = permission;
  return formats.includes(format) ? others : 'forbidden';
}

const ENCRYPTED =
  'this object is stored encrypted and is not sent plain: htsget answers it with encryptionScheme=crypt4gh and your public key in the ' +
  'header Htsget-Context-Public-Key';
