import { Command, CommanderError } from 'commander';
import type { AddCommands } from './command.ts';
import { addApiCommand } from './commands/api.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDefinitionCommands } from './commands/definitions.ts';
import { addMigrationCommands } from './commands/migration.ts';
import { addQueryCommands } from './commands/query.ts';
import { addRunCommands } from './commands/run.ts';
import { addSessionCommands } from './commands/session.ts';
import { addSubscriptionCommands } from './commands/subscription.ts';
import type { CliContext } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { failureOf } from './failures.ts';
import { plainLine } from './output/plain-text.ts';

/** Commands of each file in `commands`, in the order of the help. */
const parts: readonly AddCommands[] = [
  addSessionCommands,
  addQueryCommands,
  addSubscriptionCommands,
  addRunCommands,
  addMigrationCommands,
  addDefinitionCommands,
  addApiCommand,
  addCompletionCommand,
];

const machineCommands = `
What is done to the service itself (start, backup, restore, doctor, migrate) is done on its machine, from its own files:
npm run svc -- --help
`;

/** First words of the command lines that `runCli` accepts. */
export const callerCommands: readonly string[] = [
  'login',
  'logout',
  'whoami',
  'query',
  'subscription',
  'run',
  'migration',
  'export',
  'plan',
  'apply',
  'drift',
  'api',
  'completion',
];

/**
 * Runs one command line.
 *
 * @param args  without the program's name.
 * @returns the exit code.
 */
export async function runCli(args: readonly string[], given: CliContext): Promise<number> {
  let code: number = exitCodes.done;
  const context: CliContext & { keyFile: string | undefined } = { ...given, keyFile: given.keyFile };
  const program = new Command('svc')
    .description('Calls a service: queries, subscriptions, runs, migrations, records as files.')
    .option('--token-file <file>', 'read the key from this file, which nobody else may read')
    .hook('preAction', (_program, command) => {
      const { tokenFile } = command.optsWithGlobals<{ tokenFile?: string }>();
      if (tokenFile !== undefined) context.keyFile = tokenFile;
    })
    .exitOverride()
    .configureOutput({ writeOut: context.answer, writeErr: (text) => context.say(text.trimEnd()) })
    .showHelpAfterError('See all commands with: svc --help')
    .addHelpText('after', machineCommands);
  for (const add of parts)
    add(program, context, (result) => {
      code = result;
    });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (context.signal.aborted) return exitCodes.interrupted;
    const failure = failureOf(error);
    for (const line of failure.lines) context.say(plainLine(line));
    return failure.code;
  }
}
