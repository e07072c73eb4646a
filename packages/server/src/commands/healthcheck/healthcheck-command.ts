import type { Command } from 'commander';
import { parsePort } from '../command-line.js';
import type { ServerAddress } from './check-health.js';

const NOTES = `
The address is that of the configuration: its port, over TLS if the server has it, or the
port of metrics. Without options, those of htskit serve in process 1 are taken, as in a
container.

Examples:
  htskit healthcheck
  htskit healthcheck --config /etc/htskit/htskit.yaml --ready

Exit codes: 0 (healthy), 1 (not healthy, or not reached), 2 (usage).`;

/** Adds `htskit healthcheck`. */
export function addHealthcheckCommand(program: Command): void {
  program
    .command('healthcheck')
    .description('ask a server on this machine whether it is healthy')
    .option('--config <file>', 'configuration file of the server; options take precedence')
    .option('--host <host>', 'address that the server listens on (default: 127.0.0.1)')
    .option('--port <port>', 'port that the server listens on (default: 8080)', parsePort)
    .option('--ready', 'ask whether it is ready: not while it starts or stops', false)
    .addHelpText('after', NOTES)
    .action(async ({ ready, ...address }: ServerAddress & { readonly ready: boolean }) => {
      // Loaded on demand: the schema of the configuration takes longer to load than most commands take to run.
      const { checkHealth, findContainerAddress } = await import('./check-health.js');
      const isGiven = Object.keys(address).length > 0;
      const url = await checkHealth(isGiven ? address : await findContainerAddress(), ready ? '/readyz' : '/healthz');
      process.stdout.write(`${url} answers with 200\n`);
    });
}
