// Persistent connections to a local server, each with one request at a time.
import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** Opens `count` connections. */
export async function openConnections(port, count) {
  const connections = Array.from({ length: count }, () => new Connection(port));
  await Promise.all(connections.map((connection) => connection.opened));
  return {
    /**
     * Requests all paths. Returns the bytes of all bodies, and the milliseconds of each response. Throws for a status
     * other than 200, a missing Content-Length, or a length other than `expectedLength` if that is given.
     */
    async get(paths, expectedLength) {
      const left = paths.values();
      const milliseconds = [];
      let byteLength = 0;
      await Promise.all(
        connections.map(async (connection) => {
          for (const path of left) {
            const start = performance.now();
            const length = await connection.get(path);
            if (length !== (expectedLength ?? length))
              throw new Error(`expected ${expectedLength} bytes, found ${length}`);
            byteLength += length;
            milliseconds.push(performance.now() - start);
          }
        }),
      );
      return { byteLength, milliseconds };
    },
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

class Connection {
  #socket;
  #length = 0;
  /** Bytes of the response that have not arrived; below 0 until its head has. */
  #missing = -1;
  #head = [];
  #settle;

  constructor(port) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.opened = once(this.#socket, 'connect');
    this.#socket.on('data', (bytes) => this.#take(bytes));
    this.#socket.on('error', (error) => this.#settle?.reject(error));
    this.#socket.on('close', () => this.#settle?.reject(new Error('the server has closed a connection')));
  }

  get(path) {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n`);
    });
  }

  close() {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(bytes) {
    if (this.#missing < 0) {
      this.#head.push(bytes);
      const joined = this.#head.length === 1 ? bytes : Buffer.concat(this.#head);
      const end = joined.indexOf(HEAD_END);
      if (end < 0) return;
      const head = joined.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 200 ') || length === undefined)
        return this.#settle.reject(new Error(`expected a length and status 200, found ${head}`));
      this.#head = [];
      this.#length = Number(length);
      this.#missing = this.#length - (joined.length - end - HEAD_END.length);
    } else this.#missing -= bytes.length;
    if (this.#missing > 0) return;
    this.#missing = -1;
    this.#settle.resolve(this.#length);
  }
}
