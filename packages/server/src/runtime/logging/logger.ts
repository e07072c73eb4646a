import { isDeepStrictEqual } from 'node:util';
import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino';
import { escapeControls } from '../../terminal/escape-controls.js';
import { type AccessRecord, formatAccess } from './access-record.js';
import { LOG_LEVELS, type LogLevel, type LogSection } from '../../config/sections/monitoring.js';
import { redact } from './redact.js';

/** Tells what the server does. Whatever is told, nothing that gives access to data is written. */
export interface Logger {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
  /** Tells of a request that is over. */
  access(record: AccessRecord): void;
}

export interface LoggerOptions {
  /** Where lines are written. Default: stderr. */
  readonly stream?: DestinationStream | undefined;
  /** Whether people read it as it is written. Default: whether stderr is a terminal. */
  readonly isTerminal?: boolean | undefined;
}

/** Bytes that wait for whoever reads them; more are dropped rather than kept in memory. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Lines of JSON or lines for people, as the section says; by default as a terminal reads them or not. */
export function createLogger(section: LogSection = {}, options: LoggerOptions = {}): Logger {
  const { format = 'auto' } = section;
  const isTerminal = options.isTerminal ?? process.stderr.isTTY;
  return format === 'json' || (format === 'auto' && !isTerminal)
    ? createJsonLogger(section, options)
    : createTextLogger(section, options);
}

/** A logger whose section may be replaced by another while it is in use. */
export class ReloadableLogger implements Logger {
  readonly #options: LoggerOptions;
  #section: LogSection;
  #logger: Logger;

  constructor(section: LogSection = {}, options: LoggerOptions = {}) {
    this.#options = options;
    this.#section = section;
    this.#logger = createLogger(section, options);
  }

  /** Lines are written by this section from now on. */
  reload(section: LogSection = {}): void {
    if (isDeepStrictEqual(section, this.#section)) return;
    this.#section = section;
    this.#logger = createLogger(section, this.#options);
  }

  error(message: string): void {
    this.#logger.error(message);
  }

  warn(message: string): void {
    this.#logger.warn(message);
  }

  info(message: string): void {
    this.#logger.info(message);
  }

  debug(message: string): void {
    this.#logger.debug(message);
  }

  access(record: AccessRecord): void {
    this.#logger.access(record);
  }
}

function createJsonLogger({ level = 'info', access = true }: LogSection, { stream }: LoggerOptions): Logger {
  const lines = stream ?? destination({ fd: 2, sync: false, maxLength: MAX_WAITING_BYTES });
  const json = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines,
  );
  return {
    error: (message) => json.error(redact(message)),
    warn: (message) => json.warn(redact(message)),
    info: (message) => json.info(redact(message)),
    debug: (message) => json.debug(redact(message)),
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

/** What a client chose itself may be a secret that it put in the wrong place. */
function redactRecord(record: AccessRecord): AccessRecord {
  const { object, requestId } = record;
  return { ...record, requestId: redact(requestId), ...(object !== undefined && { object: redact(object) }) };
}
