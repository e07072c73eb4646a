import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { ConfigError, type ConfigFault, compareFaults } from './config-error.js';

/** Keys of maps and ranks in lists that lead to a value. */
export type ConfigPath = readonly PropertyKey[];

/** A YAML text with variables of the environment expanded, which knows where each value stands. */
export class ConfigDocument {
  readonly #file: string;
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  /** Values that are nothing but variables. */
  readonly #expanded = new Set<Node>();

  /** Throws ConfigError, which names the file, for text that is no YAML and for variables that are not set. */
  constructor(text: string, { file, environment }: { readonly file: string; readonly environment: Environment }) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    // What follows the first one comes of it.
    const [error] = [...this.#document.errors, ...this.#document.warnings];
    if (error !== undefined) this.refuse([this.#faultAt(error.pos[0], { path: '', message: explain(error, text) })]);
    this.refuse(this.#expand(environment));
  }

  /** The values; those of an empty text are none. */
  toValue(): unknown {
    return (this.#document.toJS() as unknown) ?? {};
  }

  /** Throws ConfigError, in the order of the file, if there are any faults. */
  refuse(faults: readonly ConfigFault[]): void {
    if (faults.length === 0) return;
    throw new ConfigError(this.#file, faults.toSorted(compareFaults));
  }

  /** A fault of the value at a path, or where that is missing, of what should hold it. */
  fault(path: ConfigPath, message: string): ConfigFault {
    let node = this.#document.contents as Node | null;
    for (const key of path) node = this.#child(node, key)?.value ?? node;
    return this.#faultAt(node?.range?.[0] ?? 0, { path: formatPath(path), message });
  }

  /** A fault of a key itself, which leads on from a path. */
  keyFault(path: ConfigPath, key: string, message: string): ConfigFault {
    let node = this.#document.contents as Node | null;
    for (const part of path) node = this.#child(node, part)?.value ?? null;
    const offset = this.#child(node, key)?.key?.range?.[0] ?? 0;
    return this.#faultAt(offset, { path: formatPath([...path, key]), message });
  }

  /**
   * Reads a value that is nothing but variables as if what they hold stood in their place without quotes: as a number, say.
   * Tells whether it is of the type.
   */
  retype(path: ConfigPath, type: 'number' | 'boolean'): boolean {
    let node = this.#document.contents as Node | null;
    for (const key of path) node = this.#child(node, key)?.value ?? null;
    if (!isScalar(node) || !this.#expanded.has(node)) return false;
    const { contents, errors } = parseDocument(String(node.value));
    const value: unknown = errors.length === 0 && isScalar(contents) ? contents.value : undefined;
    if (typeof value !== type) return false;
    node.value = value;
    return true;
  }

  #expand(environment: Environment): ConfigFault[] {
    const faults: ConfigFault[] = [];
    visit(this.#document, {
      Scalar: (rank, node) => {
        if (rank === 'key' || typeof node.value !== 'string') return;
        if (/^(\$\{\w+\})+$/.test(node.value)) this.#expanded.add(node);
        try {
          node.value = expandEnvironment(node.value, environment);
        } catch (error) {
          faults.push(this.#faultAt(node.range?.[0] ?? 0, { path: '', message: (error as RangeError).message }));
        }
      },
      Alias: (_, node) => {
        // Those that lead to what holds them, or to many others, would never end.
        if (isScalar(node.resolve(this.#document))) return;
        const message = 'an alias stands for text, a number, true or false that was given an anchor before it';
        faults.push(this.#faultAt(node.range?.[0] ?? 0, { path: '', message }));
      },
    });
    return faults;
  }

  #child(parent: Node | null, key: PropertyKey): { readonly key?: Node; readonly value: Node | null } | undefined {
    if (isSeq<Node>(parent)) return { value: parent.items[Number(key)] ?? null };
    if (!isMap<Node, Node>(parent)) return undefined;
    return parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
  }

  #faultAt(offset: number, fault: Pick<ConfigFault, 'path' | 'message'>): ConfigFault {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1), ...fault };
  }
}

function explain({ code, message, pos }: YAMLError, text: string): string {
  if (text[pos[0] - 1] === '$' && text[pos[0]] === '{') return 'a variable between braces must stand in quotes';
  return code === 'MULTIPLE_DOCS' ? 'expected the end of the file, found another document' : message;
}

/** As `htsget.locations[0].id`. */
function formatPath(path: ConfigPath): string {
  return path
    .map((key, rank) => (typeof key === 'number' ? `[${key}]` : `${rank === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\$\{|\$\{([^}]*)(\}?)/g;

/**
 * The text with the values of environment variables in place of `${NAME}`; `$${` stands for `${`. Throws RangeError, which
 * names the variable and never a value, for one that is not set and for what is none.
 */
export function expandEnvironment(text: string, environment: Environment): string {
  return text.replace(VARIABLE, (whole, name: string | undefined, end: string | undefined) => {
    if (whole === '$${') return '${';
    if (end !== '}' || name === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new RangeError('expected the name of a variable and a brace behind "${"; for "${" itself write "$${"');
    }
    const value = environment[name];
    if (value === undefined) throw new RangeError(`the environment has no ${name}`);
    return value;
  });
}
