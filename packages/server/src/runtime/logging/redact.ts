/** Longer messages are cut, in characters. No message of the server itself is as long. */
const MAX_LENGTH = 8192;

const REDACTED = '[redacted]';

/** Patterns of secrets, each with its replacement, which keeps what precedes the secret. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(authorization|proxy-authorization|cookie|set-cookie|x-amz-security-token)(["']?\s*[:=]\s*).*/gi,
    `$1$2${REDACTED}`,
  ],
  [/\b(bearer|basic|dpop)\s+[\w+/.~=-]+/gi, `$1 ${REDACTED}`],
  // Credentials before the host, and the query: a presigned URL has its signature there, other URLs may have a token.
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/?#\s@]{1,512}@/gi, `$1${REDACTED}@`],
  [/\?(?:[\w%&+/=~-]|[^\s"'<>?=]{1,64}=)[^\s"'<>]*/g, `?${REDACTED}`],
  [/\b(x-(?:amz|goog)-[a-z-]{1,40}|signature|access_token|id_token|client_secret)=[^\s&"'<>]+/gi, `$1=${REDACTED}`],
  // A JSON Web Token, and the token of a block URL: base64url parts with dots between.
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, REDACTED],
  [/(\/blocks\/)[^\s"'<>]+/g, `$1${REDACTED}`],
];

/** No pattern matches without one of these. Most ids contain none, which makes a line of a request cost 1 µs instead of 17. */
const SUSPICIOUS = /[\s:=@?.]|\/blocks\//;

/** Returns a message without secrets: authorization headers, queries of URLs, tokens and signatures. */
export function redact(message: string): string {
  if (message.length <= MAX_LENGTH && !SUSPICIOUS.test(message)) return message;
  const text = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)}…` : message;
  return SECRETS.reduce((kept, [pattern, replacement]) => kept.replace(pattern, replacement), text);
}
