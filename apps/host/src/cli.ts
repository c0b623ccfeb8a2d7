import { createLog } from '@svc/server';
import { removeDemo } from './demo-remove.ts';
import { rotateSecrets } from './secrets-rotate.ts';
import { startHost } from './start.ts';
import { handleUnhandled } from './unhandled.ts';

/** The standalone process: `svc [start] [--no-demo]`, `svc demo remove`, `svc secrets rotate [--new-key]`. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const stopMaxMs = 30_000;
const usage =
  'Use: npm start [-- --no-demo], or: npm run svc -- demo remove, or: npm run svc -- secrets rotate [--new-key]';

async function start(flags: readonly string[]): Promise<void> {
  const unknown = flags.find((flag) => flag !== '--no-demo');
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}. ${usage}`);
  let isServing = false;
  handleUnhandled({
    log: createLog('error'),
    isServing: () => isServing,
    stop: (exitCode) => stop(exitCode),
  });
  // A stop that comes while everything is brought up waits for that: nothing is left running behind.
  const starting = startHost({ env: process.env, withDemo: !flags.includes('--no-demo'), say });
  let isStopping = false;
  const stop = (exitCode: number): void => {
    if (isStopping) return;
    isStopping = true;
    say('Stopping ...');
    setTimeout(() => process.exit(1), stopMaxMs).unref();
    starting
      .then((host) => host.close())
      .then(
        () => process.exit(exitCode),
        (error: unknown) => fail(error),
      );
  };
  process.on('SIGINT', () => stop(0)).on('SIGTERM', () => stop(0));
  await starting;
  isServing = true;
}

function fail(error: unknown): never {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

const [command = 'start', ...rest] = process.argv.slice(2).filter((argument) => argument !== '--');

try {
  if (command === 'start') await start(rest);
  else if (command.startsWith('--')) await start([command, ...rest]);
  else if (command === 'demo' && rest.join() === 'remove') await removeDemo({ env: process.env, say });
  else if (command === 'secrets' && /^rotate(,--new-key)?$/.test(rest.join())) {
    const isComplete = await rotateSecrets({ env: process.env, makesKey: rest.length > 1, say });
    if (!isComplete) process.exitCode = 2;
  } else throw new Error(`Unknown command "${[command, ...rest].join(' ')}". ${usage}`);
} catch (error) {
  fail(error);
}
