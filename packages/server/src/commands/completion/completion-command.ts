import { Argument, type Command } from 'commander';
import { bashScript, fishScript, zshScript } from './shell-scripts.js';

/** The script of each shell. */
const SCRIPTS: Readonly<Record<string, (program: Command) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const NOTES = `
Examples:
  source <(htskit completion bash)                                    # in ~/.bashrc
  source <(htskit completion zsh)                                     # in ~/.zshrc
  htskit completion fish > ~/.config/fish/completions/htskit.fish

Exit codes: 0, 2 (usage).`;

/** Adds `htskit completion`. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', NOTES)
    .action((shell: string) => void process.stdout.write(SCRIPTS[shell]?.(program) ?? ''));
}
