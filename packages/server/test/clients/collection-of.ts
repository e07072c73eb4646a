/** Returns the digest of the only collection of a server. */
export async function collectionOf(url: string): Promise<string> {
  const { results } = (await (await fetch(`${url}/list/collection`)).json()) as { readonly results: readonly string[] };
  const [digest, ...others] = results;
  if (digest === undefined || others.length > 0) throw new Error(`there are ${results.length} collections`);
  return digest;
}
