// A client with one connection that stays open and carries one request at a time.
import { Agent, get } from 'node:http';

/** Bodies of JSON are kept, all others are only counted. */
const JSON_TYPE = /json/;

export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #url;

  constructor(url) {
    this.#url = url;
  }

  /** Resolves with the status, the bytes of the body and the seconds until its end, and the text of JSON. */
  request({ path, headers }) {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = get(this.#url + path, { agent: this.#agent, headers }, (response) => {
        const chunks = JSON_TYPE.test(response.headers['content-type']) ? [] : undefined;
        let byteLength = 0;
        response.on('data', (chunk) => {
          byteLength += chunk.length;
          chunks?.push(chunk);
        });
        response.on('error', reject).on('end', () => {
          const seconds = (performance.now() - started) / 1000;
          resolve({
            status: response.statusCode,
            byteLength,
            seconds,
            text: chunks && Buffer.concat(chunks).toString(),
          });
        });
      });
      outgoing.on('error', reject);
    });
  }

  /** Like `request`. Throws for a status other than 200 and 206. */
  async expect(request) {
    const response = await this.request(request);
    if (response.status !== 200 && response.status !== 206) {
      throw new Error(`${request.path.slice(0, 60)}: expected status 200, found ${response.status}`);
    }
    return response;
  }

  close() {
    this.#agent.destroy();
  }
}
