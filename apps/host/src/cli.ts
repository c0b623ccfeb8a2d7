import { callerCommands, processContext, runCli } from '@svc/cli';
import { terminalOf } from './commands/terminal.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { StartCommand } from './program.ts';

/**
 * The standalone process: `svc [start]`, the commands that `svc --help` lists, and the commands for callers of the
 * service. Commands for callers do not load the service, because loading takes ten times as long as the call.
 */
const { say, rewrite } = terminalOf(process.stderr);
const answer = (text: string): void => void process.stdout.write(text);
const stopMaxMs = 30_000;

const start: StartCommand = async ({ withDemo }) => {
  const [{ createLog }, { startHost }, { handleUnhandled }] = await Promise.all([
    import('@svc/server'),
    import('./start.ts'),
    import('./unhandled.ts'),
  ]);
  let isServing = false;
  handleUnhandled({
    log: createLog('error'),
    isServing: () => isServing,
    stop: (exitCode) => stop(exitCode),
  });
  // A stop during the start waits until the start has ended, so that no process stays behind.
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

async function runServiceCommand(): Promise<ExitCode | undefined> {
  const { runCommand } = await import('./program.ts');
  return runCommand(args, { env: process.env, say, rewrite, answer }, start);
}

// `npm start -- --no-demo` and similar commands pass their separator on.
const args = process.argv.slice(2).filter((argument) => argument !== '--');

try {
  process.exitCode = callerCommands.includes(args[0] ?? '')
    ? await runCli(args, {
        ...processContext(process),
        onMachine: async (userName, work) => {
          const { withDefinitions } = await import('./commands/definitions.ts');
          return withDefinitions({ env: process.env, say }, userName, work);
        },
      })
    : await runServiceCommand();
} catch (error) {
  fail(error);
}
