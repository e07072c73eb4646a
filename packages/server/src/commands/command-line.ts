/** Runs until a signal ends it; the process then ends by that signal, once what was begun is cleared away. */
export async function withInterrupt<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals): void => controller.abort(name);
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(controller.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    if (controller.signal.aborted) process.kill(process.pid, controller.signal.reason as NodeJS.Signals);
  }
}
