import { readFileSync } from 'node:fs';

/** The version of a package that is installed from npm for these tests. */
export function installedVersion(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version;
}
