import { existsSync, globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from '../bench/run/bench.ts';
import { describeMachine, writeResult } from '../bench/run/record.ts';
import { benchPage, benchPageFile, readResults } from './docs/bench-page.ts';

/**
 * `npm run bench -- <name> [--rounds 5] [--seconds 2] [--record]`: runs one benchmark. Without a name, lists all.
 * `--record` adds the figures to `bench/README.md`.
 */
const folder = path.join(import.meta.dirname, '../bench');
const names = globSync('*/index.ts', { cwd: folder })
  .map((file) => path.dirname(file))
  .sort();
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    record: { type: 'boolean', default: false },
  },
});
const load = async (name: string): Promise<Bench> =>
  (await import(path.join(folder, name, 'index.ts'))).bench;

if (positionals.length === 0) {
  for (const name of names) process.stdout.write(`${name.padEnd(10)} ${(await load(name)).purpose}\n`);
  process.exit(0);
}
for (const name of positionals) {
  if (!existsSync(path.join(folder, name, 'index.ts'))) {
    process.stderr.write(`There is no benchmark named "${name}". There are: ${names.join(', ')}.\n`);
    process.exit(1);
  }
  const bench = await load(name);
  process.stdout.write(`${name}: ${bench.purpose}\n`);
  const measured = { name, purpose: bench.purpose, machine: describeMachine() };
  const figures = await bench.run({ rounds: Number(values.rounds), roundMs: Number(values.seconds) * 1_000 });
  process.stdout.write(`\nWrote ${writeResult(measured, figures, values.record)}.\n`);
  if (values.record) {
    writeFileSync(benchPageFile, benchPage(readResults()));
    process.stdout.write(`Wrote ${path.relative(process.cwd(), benchPageFile)}.\n`);
  }
}
process.exit(0);
