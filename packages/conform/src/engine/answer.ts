import type { ProbeRequest } from './probe-request.js';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value of a JSON document is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A response with its whole body. */
export class Answer {
  readonly request: ProbeRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  #json: { readonly value: unknown } | undefined;

  constructor(
    request: ProbeRequest,
    { status, headers }: { readonly status: number; readonly headers: Headers },
    body: Uint8Array<ArrayBuffer>,
  ) {
    this.request = request;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** The body as text. Bytes that are not UTF-8 become U+FFFD. */
  get text(): string {
    return new TextDecoder().decode(this.body);
  }

  /** The body as a JSON value, or undefined if it is not JSON. */
  get json(): unknown {
    this.#json ??= { value: parseJson(this.text) };
    return this.#json.value;
  }

  /** The body as a JSON object, or undefined if it is not one. */
  get object(): JsonObject | undefined {
    const { json } = this;
    return isJsonObject(json) ? json : undefined;
  }

  /** The media type of the body in lower case, without parameters. Empty without a `Content-Type`. */
  get mediaType(): string {
    return (this.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  }
}

/** Describes a status and, if the body is short text, the body, for what a rule has found. */
export function describeAnswer({ status, text, mediaType }: Answer): string {
  const isText = /json|text|^$/.test(mediaType);
  return isText && text.length > 0 ? `${status} ${excerpt(text)}` : `${status} ${mediaType}`.trim();
}

/** The most characters of a body that a report quotes. */
const EXCERPT_LENGTH = 160;

/** Shortens text for a report. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
