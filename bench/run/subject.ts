import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Answer, Order, Ready, Usage } from './subject-process.ts';

/** A subject of a benchmark, in a separate process. */
export type Subject = {
  readonly name: string;
  readonly ready: Ready;
  readonly act: (input: unknown) => Promise<unknown>;
  /** Resource usage of its process since the last call. */
  readonly usage: () => Promise<Usage>;
  readonly stop: () => Promise<void>;
};

/** `SVC_BENCH_PROFILES=<folder>`: each subject writes a CPU profile to this folder when it stops. */
function profiling(name: string): string[] {
  const folder = process.env['SVC_BENCH_PROFILES'];
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`] : [];
}

/** Starts a script that calls `runSubject`, with the Node options of production. */
export async function startSubject(name: string, script: string, config: unknown): Promise<Subject> {
  const child = fork(script, {
    execArgv: ['--conditions=svc-source', ...profiling(name)],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const ask = (order: Order) => askChild(name, child, order);
  return {
    name,
    ready: (await ask({ kind: 'start', config })) as Ready,
    act: (input) => ask({ kind: 'act', input }),
    usage: () => ask({ kind: 'usage' }) as Promise<Usage>,
    stop: async () => {
      const gone = once(child, 'exit');
      await ask({ kind: 'stop' });
      await gone;
    },
  };
}

function askChild(name: string, child: ChildProcess, order: Order): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (answer: Answer) => {
      settle();
      if (answer.kind === 'done') resolve(answer.result);
      else reject(new Error(`${name} failed: ${answer.message}`));
    };
    const onExit = (code: number | null) => {
      settle();
      reject(new Error(`${name} ended with code ${code} while it was asked to ${order.kind}.`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(order);
  });
}
