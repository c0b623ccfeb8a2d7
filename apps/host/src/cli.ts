import { callerCommands, processContext, runCli } from '@svc/cli';
import { createLog } from '@svc/server';
import { withDefinitions } from './commands/definitions.ts';
import { terminalOf } from './commands/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import { runCommand, type StartCommand } from './program.ts';
import { startHost } from './start.ts';
import { handleUnhandled } from './unhandled.ts';

/** The standalone process: `svc [start]`, the commands that `svc --help` lists, and those of a caller of the service. */
const { say, rewrite } = terminalOf(process.stderr);
const answer = (text: string): void => void process.stdout.write(text);
const stopMaxMs = 30_000;

const start: StartCommand = async ({ withDemo }) => {
  let isServing = false;
  handleUnhandled({
    log: createLog('error'),
    isServing: () => isServing,
    stop: (exitCode) => stop(exitCode),
  });
  // A stop that comes while everything is brought up waits for that: nothing is left running behind.
  const starting = startHost({ env: process.env, withDemo, say });
  let isStopping = false;
  const stop = (exitCode: number): void => {
    if (isStopping) return;
    isStopping = true;
    say('Stopping ...');
    setTimeout(() => process.exit(exitCodes.failed), stopMaxMs).unref();
    starting
      .then((host) => host.close())
      .then(
        () => process.exit(exitCode),
        (error: unknown) => fail(error),
      );
  };
  process.on('SIGINT', () => stop(exitCodes.done)).on('SIGTERM', () => stop(exitCodes.done));
  await starting;
  isServing = true;
};

function fail(error: unknown): never {
  say(error instanceof Error ? error.message : String(error));
  process.exit(exitCodes.failed);
}

// `npm start -- --no-demo` and the like leave their own separator in.
const args = process.argv.slice(2).filter((argument) => argument !== '--');

try {
  process.exitCode = callerCommands.includes(args[0] ?? '')
    ? await runCli(args, {
        ...processContext(process),
        onMachine: (userName, work) => withDefinitions({ env: process.env, say }, userName, work),
      })
    : await runCommand(args, { env: process.env, say, rewrite, answer }, start);
} catch (error) {
  fail(error);
}
