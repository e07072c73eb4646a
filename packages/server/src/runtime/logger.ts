import { isDeepStrictEqual } from 'node:util';
import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino';
import { LOG_LEVELS, type LogLevel, type LogSection } from '../config/sections/operation.js';
import { escapeControls } from '../terminal/escape-controls.js';

/** What is logged about a request. Its URL may hold a signature and its headers a token, so they are left out. */
export interface AccessRecord {
  readonly requestId: string;
  readonly method: string;
  /** The template of the path, such as `/reads/{id}`. */
  readonly route: string;
  /** 499 if the client disconnected before the response began. */
  readonly status: number;
  /** Bytes of the body that were written to the connection. */
  readonly bytes: number;
  readonly milliseconds: number;
  readonly outcome: Outcome;
  /** The requested object or sequence. */
  readonly object?: string;
  /** The address of the client. */
  readonly client?: string;
  readonly traceId?: string;
}

/** How a request ended: completed, aborted by the client, cut off as too slow, or refused because of load. */
export type Outcome = 'complete' | 'aborted' | 'slow' | 'shed';

/** Formats a record as a line of text. */
function formatAccess(record: AccessRecord): string {
  const { client = '-', method, route, status, bytes, milliseconds, outcome, object, requestId } = record;
  const end = outcome === 'complete' ? '' : ` ${outcome}`;
  return `${client} ${method} ${route} ${object ?? '-'} ${status}${end} ${bytes} B ${milliseconds} ms ${requestId}`;
}

/** Further members of a JSON line. */
type LogDetails = Readonly<Record<string, number | boolean | undefined>>;

/** Logs what the server does. Tokens, signatures and other secrets in messages are redacted. */
export interface Logger {
  error(message: string): void;
  warn(message: string): void;
  /** Logs a message. JSON lines have the details too. */
  info(message: string, details?: LogDetails): void;
  debug(message: string): void;
  /** Logs a finished request. */
  access(record: AccessRecord): void;
}

export interface LoggerOptions {
  /** The stream for the lines. Default: stderr. */
  readonly stream?: DestinationStream;
  /** The destination of JSON lines if there is no stream. Default: stderr. */
  readonly lines?: BufferedLines;
  /** Whether the stream is a terminal. Default: whether stderr is one. */
  readonly isTerminal?: boolean;
}

const STDERR = 2;

/** The size of the buffer for a slow reader of stderr, in bytes. Lines beyond it are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Access records are collected up to this number of bytes or milliseconds, because each write wakes a thread. All other lines are
 * written at once.
 */
const BUFFERED_BYTES = 4096;
const BUFFERED_MILLISECONDS = 100;

/** Lines for a file descriptor, in their order. A write that is in progress ends before the next one begins. */
export class BufferedLines implements DestinationStream {
  readonly #file: ReturnType<typeof destination>;
  #unwrittenBytes = 0;
  #isDue = false;
  /** Whether the last write failed. */
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#file = destination({ fd, sync: false, minLength: BUFFERED_BYTES, maxLength: MAX_WAITING_BYTES });
    // A full disk or a closed pipe must not end the process. The lines wait for the next write, up to the maximum.
    this.#file.on('error', () => {
      this.#isFailing = true;
    });
    this.#file.on('write', (bytes: number) => {
      this.#isFailing = false;
      this.#unwrittenBytes -= bytes;
    });
    // At the exit, the destination writes what waits, and repeats a failed write without end.
    const flushSync = this.#file.flushSync.bind(this.#file);
    this.#file.flushSync = () => {
      if (!this.#isFailing) flushSync();
    };
    this.#file.on('drop', (line: string) => {
      this.#unwrittenBytes -= Buffer.byteLength(line);
    });
    this.#file.on('drain', () => {
      if (this.#isDue) this.flush();
    });
  }

  /** Adds a line, which waits for `flush`, or until there are enough or it is old enough. */
  write(line: string): void {
    this.#unwrittenBytes += Buffer.byteLength(line);
    this.#file.write(line);
    this.#timer ??= setTimeout(() => this.flush(), BUFFERED_MILLISECONDS).unref();
  }

  /** Writes the lines that wait, at once or after the write in progress. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = this.#unwrittenBytes > 0;
    if (this.#isDue) this.#file.flush();
  }
}

/** Creates a logger of JSON lines or text lines. Default: text if the stream is a terminal, and JSON otherwise. */
export function createLogger(section: LogSection = {}, options: LoggerOptions = {}): Logger {
  const { format = 'auto' } = section;
  const isTerminal = options.isTerminal ?? process.stderr.isTTY;
  return format === 'json' || (format === 'auto' && !isTerminal)
    ? createJsonLogger(section, options)
    : createTextLogger(section, options);
}

/** A logger whose settings can be replaced while it is in use. */
export class ReloadableLogger implements Logger {
  readonly #options: LoggerOptions;
  #section: LogSection;
  #logger: Logger;

  constructor(section: LogSection = {}, options: LoggerOptions = {}) {
    // All settings share the lines: those that wait when the settings are replaced are still written, and in order.
    this.#options = { lines: new BufferedLines(STDERR), ...options };
    this.#section = section;
    this.#logger = createLogger(section, this.#options);
  }

  /** Replaces the settings. */
  reload(section: LogSection = {}): void {
    if (isDeepStrictEqual(section, this.#section)) return;
    this.#section = section;
    this.#logger = createLogger(section, this.#options);
  }

  readonly error: Logger['error'] = (message) => this.#logger.error(message);
  readonly warn: Logger['warn'] = (message) => this.#logger.warn(message);
  readonly info: Logger['info'] = (message, details) => this.#logger.info(message, details);
  readonly debug: Logger['debug'] = (message) => this.#logger.debug(message);
  readonly access: Logger['access'] = (record) => this.#logger.access(record);
}

function createJsonLogger({ level = 'info', access = true }: LogSection, options: LoggerOptions): Logger {
  const { lines = new BufferedLines(STDERR), stream = lines } = options;
  const json = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const write = (of: LogLevel, message: string, details: LogDetails = {}): void => {
    json[of](details, redact(message));
    if (stream === lines) lines.flush();
  };
  return {
    error: (message) => write('error', message),
    warn: (message) => write('warn', message),
    info: (message, details) => write('info', message, details),
    debug: (message) => write('debug', message),
    access(record) {
      if (access) json.info(redactRecord(record), 'request');
    },
  };
}

function createTextLogger({ level = 'info', access = false }: LogSection, { stream }: LoggerOptions): Logger {
  const lines = stream ?? process.stderr;
  const write = (message: string): void => void lines.write(`${escapeControls(redact(message))}\n`);
  const writer = (of: LogLevel): ((message: string) => void) =>
    LOG_LEVELS.indexOf(of) <= LOG_LEVELS.indexOf(level) ? write : () => undefined;
  const info = writer('info');
  return {
    error: writer('error'),
    warn: writer('warn'),
    info,
    debug: writer('debug'),
    access(record) {
      if (access) info(formatAccess(record));
    },
  };
}

/** Redacts the values that the client chose: it may have put a secret in the wrong place. */
function redactRecord(record: AccessRecord): AccessRecord {
  const { object, requestId } = record;
  return { ...record, requestId: redact(requestId), ...(object !== undefined && { object: redact(object) }) };
}

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
  // A JSON Web Token, and the token of a block URL: base64url parts with dots between. The first part ends before the next
  // start: otherwise 8 KiB of "eyJ-" took 100 ms, since each start was followed to the end.
  [/\beyJ(?:(?!\beyJ)[\w-]){8,}\.[\w-]+(?:\.[\w-]*)?/g, REDACTED],
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
