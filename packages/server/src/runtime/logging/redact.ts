/** Characters of a message that are looked at; no message of the server is as long. */
const MAX_LENGTH = 8192;

const REDACTED = '[redacted]';

/** What gives access to whoever reads it, and what is kept in front of it. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(authorization|proxy-authorization|cookie|set-cookie|x-amz-security-token)(["']?\s*[:=]\s*).*/gi,
    `$1$2${REDACTED}`,
  ],
  [/\b(bearer|basic|dpop)\s+[\w+/.~=-]+/gi, `$1 ${REDACTED}`],
  // Credentials in front of the host, and the query: that of a presigned URL is a signature, that of another may be a token.
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/?#\s@]{1,512}@/gi, `$1${REDACTED}@`],
  [/\?(?:[\w%&+/=~-]|[^\s"'<>?=]{1,64}=)[^\s"'<>]*/g, `?${REDACTED}`],
  [/\b(x-(?:amz|goog)-[a-z-]{1,40}|signature|access_token|id_token|client_secret)=[^\s&"'<>]+/gi, `$1=${REDACTED}`],
  // A JSON Web Token, and the token of a block URL: base64url with dots between.
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, REDACTED],
  [/(\/blocks\/)[^\s"'<>]+/g, `$1${REDACTED}`],
];

/** Without one of these, no pattern can match. Most ids have none, and so a line for a request costs 1 µs rather than 17. */
const NEEDED = /[\s:=@?.]|\/blocks\//;

/** A message without what gives access to data: headers that authorise, queries of URLs, tokens. */
export function redact(message: string): string {
  if (message.length <= MAX_LENGTH && !NEEDED.test(message)) return message;
  const text = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)}…` : message;
  return SECRETS.reduce((kept, [pattern, replacement]) => kept.replace(pattern, replacement), text);
}
