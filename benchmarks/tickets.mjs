// What a ticket leads to, fetched plainly.
const DATA_URI = 'data:;base64,';

/** The blocks of the ticket that a service gives for the URL. */
export async function fetchBlocks(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`expected a ticket, found status ${answer.status}`);
  const { htsget } = await answer.json();
  return htsget.urls;
}

/** The bytes of a block that is in the ticket itself; undefined for others. */
export function inlineBytes({ url }) {
  return url.startsWith(DATA_URI) ? Buffer.from(url.slice(DATA_URI.length), 'base64') : undefined;
}

/** The bytes of all blocks, one block after another. */
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
