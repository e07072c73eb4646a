import { startCommand } from './command.mjs';

/** Matches the line in which each entry prints its address; workerd reports its port in a line of JSON. */
const LISTENING = /^listening on http:\/\/127\.0\.0\.1:(?<port>\d+)$|^\{.*"event":"listen".*"port":(?<given>\d+).*\}$/m;

/** Starts a command that listens. Returns its origin, and a function that stops it. */
export async function startListener(command, args, { timeoutSeconds, ...options }) {
  const server = startCommand(command, args, options);
  const close = async () => {
    server.stop();
    await server.ended;
  };
  const deadline = performance.now() + timeoutSeconds * 1000;
  while (server.isRunning() && performance.now() < deadline) {
    const { port, given } = LISTENING.exec(server.output())?.groups ?? {};
    if (port ?? given) return { origin: `http://127.0.0.1:${port ?? given}`, tail: server.tail, close };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await close();
  throw new Error(`it did not start${server.tail()}`);
}
