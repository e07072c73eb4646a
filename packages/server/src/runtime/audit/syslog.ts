import { Buffer } from 'node:buffer';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { connect, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { type AuditDestination, type AuditRecord, notNow } from './audit-log.js';

/** The ports of syslog: RFC 5426 §3.3, RFC 6587 §3.4 and RFC 5425 §4.1. */
const PORTS = { udp: 514, tcp: 601, tls: 6514 } as const;

/** The facility 13, "log audit", and the severity 6, "informational" (RFC 5424 §6.2.1). */
const PRIORITY = 13 * 8 + 6;

/** The maximum number of bytes that wait for a receiver, and of datagrams that are being sent. */
const MAX_WAITING_BYTES = 2 ** 20;
const MAX_DATAGRAMS = 1000;

/** The maximum time for what was written to be sent at the end. */
const CLOSE_MILLISECONDS = 2000;

/** A receiver of syslog messages. */
type SyslogReceiver =
  | { readonly transport: keyof typeof PORTS; readonly host: string; readonly port: number }
  | { readonly transport: 'unix'; readonly path: string };

/** Parses `udp://HOST[:PORT]`, `tcp://…`, `tls://…` or `unix:/PATH`. Returns undefined for any other text. */
export function parseSyslogReceiver(text: string): SyslogReceiver | undefined {
  const [, path] = /^unix:(?:\/\/)?(\/.+)$/s.exec(text) ?? [];
  if (path !== undefined) return { transport: 'unix', path };
  const { transport } = /^(?<transport>udp|tcp|tls):\/\/[^/?#@]+$/.exec(text)?.groups ?? {};
  if ((transport !== 'udp' && transport !== 'tcp' && transport !== 'tls') || !URL.canParse(text)) return undefined;
  const { hostname: host, port } = new URL(text);
  return { transport, host: host.replace(/^\[|\]$/g, ''), port: port === '' ? PORTS[transport] : Number(port) };
}

/** Connects to a receiver of syslog messages. Throws RangeError for a text that names none. */
export function openSyslog(text: string): AuditDestination {
  const receiver = parseSyslogReceiver(text);
  if (receiver === undefined) throw new RangeError(`"${text}" is not a receiver of syslog`);
  if (receiver.transport === 'udp') return new SyslogDatagrams(receiver);
  return new SyslogStream(() => {
    if (receiver.transport === 'unix') return connect(receiver.path);
    const { transport, host, port } = receiver;
    return transport === 'tcp' ? connect({ host, port }) : connectTls({ host, port, servername: host });
  });
}

/** Returns a message of RFC 5424 whose text is the record as JSON. */
function toMessage(record: AuditRecord): Buffer {
  const host =
    hostname()
      .replace(/[^!-~]/g, '')
      .slice(0, 255) || '-';
  const header = `<${PRIORITY}>1 ${record.time} ${host} htskit ${process.pid} ${record.resource} -`;
  return Buffer.from(`${header} ${JSON.stringify(record)}`);
}

/** Sends each message as a datagram (RFC 5426). Those that are lost on their way are not noticed. */
class SyslogDatagrams implements AuditDestination {
  readonly frame = toMessage;
  readonly #receiver: { readonly host: string; readonly port: number };
  readonly #socket: DatagramSocket;
  readonly #sending = new Set<Promise<void>>();
  #failure: Error | undefined;

  constructor(receiver: { readonly host: string; readonly port: number }) {
    this.#receiver = receiver;
    this.#socket = createSocket(isIPv6(receiver.host) ? 'udp6' : 'udp4').unref();
    this.#socket.on('error', (error) => {
      this.#failure = error;
    });
  }

  write(bytes: Uint8Array): number {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
    if (this.#sending.size >= MAX_DATAGRAMS) throw notNow();
    const { host, port } = this.#receiver;
    const sent = new Promise<void>((resolve) => {
      this.#socket.send(bytes, port, host, (error) => {
        this.#failure = error ?? undefined;
        resolve();
      });
    });
    this.#sending.add(sent);
    void sent.then(() => this.#sending.delete(sent));
    return bytes.length;
  }

  async close(): Promise<void> {
    await Promise.all(this.#sending);
    this.#socket.close();
  }
}

/** Sends messages over connections, each preceded by its length (RFC 6587 §3.4.1). Connects again when a connection ends. */
class SyslogStream implements AuditDestination {
  readonly #connect: () => Socket;
  #socket: Socket | undefined;
  #failure: Error | undefined;

  constructor(open: () => Socket) {
    this.#connect = open;
    this.#open();
  }

  frame(record: AuditRecord): Uint8Array {
    const message = toMessage(record);
    return Buffer.concat([Buffer.from(`${message.length} `), message]);
  }

  write(bytes: Uint8Array): number {
    const socket = this.#socket ?? this.#open();
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
    if (socket.connecting || socket.writableLength > MAX_WAITING_BYTES) throw notNow();
    socket.write(bytes);
    return bytes.length;
  }

  /** Sends what was written, if the receiver takes it in time, and ends the connection. */
  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) return;
    const ended = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.end(resolve);
    });
    await Promise.race([ended, wait(CLOSE_MILLISECONDS, undefined, { ref: false })]);
    socket.destroy();
  }

  #open(): Socket {
    const socket = this.#connect().unref();
    this.#socket = socket;
    // Receivers send nothing.
    socket.resume();
    socket.on('error', (error) => {
      this.#failure = error;
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    return socket;
  }
}
