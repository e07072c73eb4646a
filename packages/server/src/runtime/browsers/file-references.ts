import { parseContigLine, samHeaderLines } from '@htskit/formats/internal';
import type { StoredFile } from '@htskit/htsget';
import { readBgzfFile, readCramFile } from '@htskit/htsget/internal';
import { LruCache } from '@htskit/io';

/** References of a header that are compared with those of genomes. More would not change which genome it is. */
const MOST_REFERENCES = 1000;
/** Headers whose references are kept. */
const KEPT_HEADERS = 1000;
const LIMITS = { maxHeaderBytes: 2 ** 27 };

/** The lengths of references by their names; undefined if the header has no length. */
export type References = ReadonlyMap<string, number | undefined>;

/** Reads the first references of the headers of files, and keeps them. */
export class FileReferences {
  readonly #known = new LruCache<References>({ maxWeight: KEPT_HEADERS });

  /** Throws StorageError and the errors of the decoders. */
  async read(file: StoredFile): Promise<References> {
    const stat = await file.data.stat();
    return this.#known.load(JSON.stringify([file.data.key, stat.version, stat.size]), async () => {
      const options = { ...stat, ...LIMITS };
      const { format } = file;
      const { header } =
        format === 'CRAM'
          ? await readCramFile(file.data, options)
          : await readBgzfFile(file.data, { ...options, format });
      const lengths = readLengths(header.text);
      const references = new Map<string, number | undefined>();
      for (const [name] of header.referenceIds) {
        references.set(name, lengths.get(name));
        if (references.size >= MOST_REFERENCES) break;
      }
      return { value: references, weight: 1 };
    });
  }
}

/** Returns the lengths of the first references of a SAM header (SAMv1 §1.3) or a VCF header (VCFv4.3 §1.4.7). */
function readLengths(text: string): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  for (const { name, length } of declaredReferences(text)) {
    if (length !== undefined && !lengths.has(name)) lengths.set(name, length);
    if (lengths.size >= MOST_REFERENCES) break;
  }
  return lengths;
}

function* declaredReferences(text: string): Generator<{ readonly name: string; readonly length: number | undefined }> {
  for (const { line } of samHeaderLines(text, '@SQ')) {
    const name = /\tSN:([^\t]+)/.exec(line)?.[1];
    if (name !== undefined) yield { name, length: Number(/\tLN:(\d+)/.exec(line)?.[1]) || undefined };
  }
  for (const [line] of text.matchAll(/(?<![^\n])##contig=[^\n]*/g)) {
    const contig = parseContigLine(line);
    if (contig !== undefined) yield contig;
  }
}
