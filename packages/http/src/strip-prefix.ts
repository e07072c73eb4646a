/**
 * Returns the part of a URL path after the prefix that a handler is mounted at, beginning with `/`, or undefined if the
 * path lies outside of it. A trailing slash of the prefix is ignored; without a prefix the path is returned as it is.
 *
 * @example
 * stripPrefix('/htsget/reads/NA12878', '/htsget'); // '/reads/NA12878'
 * stripPrefix('/htsgetter', '/htsget'); // undefined
 */
export function stripPrefix(pathname: string, prefix = ''): string | undefined {
  const mount = prefix.replace(/\/+$/, '');
  if (!pathname.startsWith(mount)) return undefined;
  const rest = pathname.slice(mount.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : undefined;
}
