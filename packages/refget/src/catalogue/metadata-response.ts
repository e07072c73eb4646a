import { sha512t24u } from '@htskit/digest';
import { matchesIfNoneMatch } from '@htskit/http';
import { toAsciiJson } from '@htskit/http/internal';
import type { Authority } from '@htskit/protocol';
import type { SequenceMetadata } from '@htskit/sequences';
import { toJsonTextResponse } from '../json-response.js';

export interface MetadataRequest {
  readonly request: Request;
  /** The id in the request, percent-decoded. */
  readonly id: string;
  readonly authority: Authority;
  readonly cacheControl: string;
}

/** Answers a request for the metadata of a sequence. */
export function answerMetadata(
  metadata: SequenceMetadata,
  { request, id, authority, cacheControl }: MetadataRequest,
): Response {
  const text = toAsciiJson(toMetadataDocument(metadata, { id, authority }));
  const headers = { etag: `"${sha512t24u(new TextEncoder().encode(text))}"`, 'cache-control': cacheControl };
  if (matchesIfNoneMatch(request.headers.get('if-none-match'), headers.etag)) {
    return new Response(null, { status: 304, headers: { ...headers, vary: 'Accept' } });
  }
  return toJsonTextResponse(text, { authority, headers });
}

/** Returns the document of refget 2.0.0, "Metadata document". The key of the `SQ.` digest is the name of the authority. */
function toMetadataDocument(
  { length, md5, sha512t24u, trunc512, aliases, circular }: SequenceMetadata,
  { id, authority }: Pick<MetadataRequest, 'id' | 'authority'>,
): object {
  return {
    metadata: {
      id,
      md5,
      [authority]: sha512t24u,
      trunc512,
      length,
      aliases: aliases.map(({ alias, namingAuthority }) => ({ alias, naming_authority: namingAuthority })),
      circular,
    },
  };
}
