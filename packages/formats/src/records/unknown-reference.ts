/** How many names a message lists, and how many characters of each. */
const LISTED_NAMES = 3;
const LISTED_LENGTH = 40;
/** How many names are compared: the chromosomes come first, and a file may have millions of contigs. */
const COMPARED_NAMES = 1000;

/**
 * Returns the message about a reference that a file does not have, such as `unknown reference "1"; did you mean "chr1"?
 * (25 references: chr1, chr2, chr3, …)`. Names are near each other if they differ in letter case, in the prefix `chr`, in leading
 * zeros, or in one character that is not a digit.
 */
export function describeUnknownReference(
  name: string,
  { names, count }: { readonly names: () => Iterable<string>; readonly count: number },
): string {
  const message = `unknown reference ${JSON.stringify(shorten(name))}`;
  if (count === 0) return message;
  const compared = take(names(), COMPARED_NAMES);
  const near = findNear(name, compared);
  const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(shorten(near))}?`;
  const listed = compared.slice(0, LISTED_NAMES).map(shorten);
  const total = count === 1 ? '1 reference' : `${count.toLocaleString('en-US')} references`;
  return `${message}${hint} (${total}: ${listed.join(', ')}${count > LISTED_NAMES ? ', …' : ''})`;
}

/** Returns the message about a reference that a file declares several times: a region cannot say which one it means. */
export function describeRepeatedReference(name: string): string {
  return `reference ${JSON.stringify(shorten(name))} is declared twice, so that no region can name it`;
}

function take(names: Iterable<string>, count: number): string[] {
  const taken: string[] = [];
  for (const name of names) {
    if (taken.length === count) break;
    taken.push(name);
  }
  return taken;
}

function shorten(name: string): string {
  return name.length > LISTED_LENGTH ? `${name.slice(0, LISTED_LENGTH)}…` : name;
}

function findNear(name: string, names: readonly string[]): string | undefined {
  if (name.length > LISTED_LENGTH) return undefined;
  const canonical = toCanonical(name);
  return (
    names.find((each) => toCanonical(each) === canonical) ??
    names.find((each) => digitsOf(each) === digitsOf(name) && differsInOne(each.toLowerCase(), name.toLowerCase()))
  );
}

/** Returns what the spellings of one reference have in common: `1` for `chr1`, `Chr01` and `1`; `m` for `chrM` and `MT`. */
function toCanonical(name: string): string {
  return name
    .toLowerCase()
    .replace(/^chr/, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/^mt$/, 'm');
}

function digitsOf(name: string): string {
  return name.replace(/\D/g, '');
}

/** Returns whether one character was inserted, deleted or replaced. */
function differsInOne(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const rest = long.slice(start + 1);
  return rest === short.slice(start) || (short.length === long.length && rest === short.slice(start + 1));
}
