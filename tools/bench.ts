import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from '../bench/run/bench.ts';

/** `npm run bench -- <name> [--rounds 5] [--seconds 2]`: one benchmark; without a name, the list of them. */
const folder = path.join(import.meta.dirname, '../bench');
const names = globSync('*/index.ts', { cwd: folder })
  .map((file) => path.dirname(file))
  .sort();
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
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
  await bench.run({ rounds: Number(values.rounds), roundMs: Number(values.seconds) * 1_000 });
}
process.exit(0);
