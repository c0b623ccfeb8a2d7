import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import type { Figure } from '../run/result.ts';

const root = path.join(import.meta.dirname, '../..');

type Command = {
  readonly name: string;
  readonly program: readonly [string, ...string[]];
  readonly secondsMax: number;
};

const test = (...args: string[]): Command['program'] => [
  process.execPath,
  '--conditions=svc-source',
  'tools/test.ts',
  ...args,
];

/** Commands that a developer waits for, with their maximum time on two idle cores. */
const commands: readonly Command[] = [
  { name: 'one unit file', program: test('packages/web/src/lib/paths.test.ts'), secondsMax: 4 },
  { name: 'npm test', program: test(), secondsMax: 8 * 60 },
  { name: 'npm run test:browser', program: test('--tier=browser'), secondsMax: 5 * 60 },
  { name: '.ci/run', program: ['.ci/run'], secondsMax: 25 * 60 },
];

/** Measures the duration of the test commands. A command that fails ends the benchmark. */
export const bench: Bench = {
  purpose:
    'what a test run takes, one unit file to all of continuous integration (under 4 s, 8, 5 and 25 min)',
  run: async ({ rounds }) => {
    const figures: Figure[] = [];
    for (const command of commands) {
      const seconds: number[] = [];
      for (let round = 0; round < rounds; round++) seconds.push(await secondsOf(command));
      const median = seconds.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
      const verdict = median < command.secondsMax ? 'met' : 'MISSED';
      process.stdout.write(
        `${command.name.padEnd(22)} ${median.toFixed(1).padStart(8)} s, median of ${rounds}; ${command.secondsMax} s at most: ${verdict}\n`,
      );
      figures.push({
        title: command.name,
        unit: 's',
        against: null,
        values: [median],
        floorValues: [],
        ratios: [],
        target: { valueMax: command.secondsMax },
        pairs: rounds,
      });
    }
    return figures;
  },
};

function secondsOf({ name, program: [file, ...args] }: Command): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve((performance.now() - startedAt) / 1_000);
      else reject(new Error(`${name} failed with ${code}; run it by itself to see why.`));
    });
  });
}
