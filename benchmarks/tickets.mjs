// Fetches the blocks of a ticket without a client library.
const DATA_URI = 'data:;base64,';

/** Returns the blocks of the ticket at the URL. */
export async function fetchBlocks(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`expected a ticket, found status ${answer.status}`);
  const { htsget } = await answer.json();
  return htsget.urls;
}

/** Returns the bytes of a block that is inlined in the ticket; undefined for others. */
export function inlineBytes({ url }) {
  return url.startsWith(DATA_URI) ? Buffer.from(url.slice(DATA_URI.length), 'base64') : undefined;
}

/** Returns the bytes of all blocks, fetched one after another. */
export async function* fetchPlainly(url) {
  for (const block of await fetchBlocks(url)) {
    const inline = inlineBytes(block);
    if (inline !== undefined) yield inline;
    else yield* (await fetch(block.url, { headers: block.headers })).body;
  }
}

export async function collect(chunks) {
  const all = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
