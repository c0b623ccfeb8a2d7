import { callerCommands } from '@svc/cli';
import { Command, CommanderError } from 'commander';
import { backUp, restore } from './commands/backup.ts';
import { checkConfig, printConfig } from './commands/config.ts';
import type { CommandContext } from './commands/database.ts';
import { removeDemo } from './commands/demo-remove.ts';
import { doctor } from './commands/doctor.ts';
import { inWords } from './commands/failure.ts';
import { askHealth } from './commands/health.ts';
import { migrate, planMigration } from './commands/migrate.ts';
import { rotateSecrets } from './commands/secrets-rotate.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Starts the service. Resolves when the service accepts requests. */
export type StartCommand = (options: { readonly withDemo: boolean }) => Promise<void>;

const codeOf = (isWell: boolean, otherwise: ExitCode): ExitCode => (isWell ? exitCodes.done : otherwise);

/**
 * Runs one command line.
 *
 * @param args  without the program's name.
 * @returns the exit code; undefined if the service continues to run.
 * @throws Error with a readable message if the command fails.
 */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
  start: StartCommand,
): Promise<ExitCode | undefined> {
  let code: ExitCode | undefined = exitCodes.done;
  const program = build(context, start, (result) => {
    code = result;
  });
  try {
    const [first] = args;
    // The default command would accept an unknown word as its argument.
    if (
      first !== undefined &&
      /^[a-z]/i.test(first) &&
      !program.commands.some((command) => command.name() === first)
    )
      program.error(`error: unknown command '${first}'`);
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw inWords(error);
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

function build(
  context: CommandContext,
  start: StartCommand,
  end: (code: ExitCode | undefined) => void,
): Command {
  const program = new Command('svc')
    .description(
      'The standalone service, and what is done to it from its machine. Settings: docs/settings.md.',
    )
    .exitOverride()
    .configureOutput({ writeOut: context.answer, writeErr: (text) => context.say(text.trimEnd()) })
    .showHelpAfterError('See all commands with: npm run svc -- --help')
    .addHelpText('after', `\nCalls of the service, from any machine: ${callerCommands.join(', ')}`);
  // Each command inherits the program's exit handling and outputs.
  program
    .command('start', { isDefault: true })
    .description('start the service')
    .option('--no-demo', 'leave the demo project out')
    .action(async ({ demo }: { demo: boolean }) => {
      await start({ withDemo: demo });
      end(undefined);
    });
  program
    .command('health')
    .description('ask the service on this machine whether it lives: 0 when it does, else 1')
    .option('--url <origin>', 'ask there instead of at the configured address')
    .option('--ready', 'ask whether it can serve, its database included')
    .action(async ({ url, ready }: { url?: string; ready?: boolean }) =>
      end(codeOf(await askHealth(context, { url, isReady: ready === true }), exitCodes.failed)),
    );
  program
    .command('doctor')
    .description(
      'look at settings, disk, ports, mail server, database, key and jobs, and say what to do: 3 when something is wrong',
    )
    .option('--bundle <file>', 'write what was found, without secrets, for a report')
    .action(async ({ bundle }: { bundle?: string }) =>
      end(codeOf(await doctor(context, { bundle }), exitCodes.findings)),
    );
  addDatabaseCommands(program, context, end);
  addSettingsCommands(program, context, end);
  return program;
}

function addDatabaseCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode | undefined) => void,
): void {
  program
    .command('migrate')
    .description('bring the database up to this version, and start nothing')
    .option('--plan', 'only say what would be applied: 0 nothing, 3 may roll, 7 must stop')
    .action(async ({ plan }: { plan?: boolean }) => {
      if (plan) end(await planMigration(context));
      else await migrate(context);
    });
  program
    .command('backup')
    .description('write everything that the service keeps into one file, beside it or without it')
    .argument('<file>', 'where; it must not be there yet')
    .action((file: string) => backUp(context, file));
  program
    .command('restore')
    .description('bring a backup into an empty database: 3 when its key is not here')
    .argument('<file>', 'a file that backup has written')
    .option('--as-copy', 'pause every queue, so that nothing runs and nothing is sent')
    .action(async (file: string, { asCopy }: { asCopy?: boolean }) =>
      end(codeOf(await restore(context, file, { asCopy: asCopy === true }), exitCodes.findings)),
    );
  program
    .command('secrets')
    .description('look after stored secrets')
    .command('rotate')
    .description(
      'encrypt everything stored anew under the current key: 3 when something still needs an earlier one',
    )
    .option('--new-key', 'make a new key first, in the data directory')
    .action(async ({ newKey }: { newKey?: boolean }) =>
      end(codeOf(await rotateSecrets({ ...context, makesKey: newKey === true }), exitCodes.findings)),
    );
}

function addSettingsCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode | undefined) => void,
): void {
  const config = program.command('config').description('look at the settings');
  config
    .command('check')
    .description('check the settings and an external database as a start does, and list all faults')
    .action(async () => {
      await checkConfig(context);
      end(exitCodes.done);
    });
  config
    .command('print')
    .description('every configured setting and where it comes from; secrets as ***')
    .option('--all', 'the defaults as well')
    .option('-o, --output <form>', 'table or json', 'table')
    .action(({ all, output }: { all?: boolean; output: string }) =>
      printConfig(context, { isAll: all === true, isJson: output === 'json' }),
    );
  program
    .command('demo')
    .description('look after the demo project')
    .command('remove')
    .description('remove the demo for good')
    .action(() => removeDemo(context));
}
