import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { resultsFolder } from '../../bench/run/record.ts';
import { type BenchResult, type Figure, isReached, parseResult } from '../../bench/run/result.ts';

/** Path of the page that is generated from the recorded results. */
export const benchPageFile = path.join(resultsFolder, '../README.md');

const intro = `# Benchmarks

<!-- Written by \`npm run docs\` from \`bench/results\`; do not edit. -->

\`npm run bench\` lists the benchmarks. \`npm run bench -- list\` runs the benchmark \`list\` (\`--rounds 5 --seconds 2\`).
\`--record\` adds the figures to this page; use it on an idle machine. Benchmarks are never part of the tests.

Each contender runs in a separate process, and so does the load generator. All traffic stays on loopback.

A *floor* is a minimal program that does the same work with the same libraries. The ratio to the floor shows the cost of
rights, limits, refusals and records in the service. A ratio above 1 is faster than the floor.

Contenders take turns (A B, B A, …) after one warm-up round. A figure is the median of the rounds. \`mcp\` and
\`observability\` measure each contender between two turns of its floor, and a figure is the median of these pairs.
\`observability\` starts new processes for each pair.

The same code differs by a tenth between processes, so ratios are more reliable than absolute numbers. On a busy machine,
processor time is more reliable than both. \`SVC_BENCH_PROFILES=<folder>\` writes a CPU profile of each process. The
commits that changed a figure explain it and list the attempts.
`;

/** Reads the recorded results, in the order of their names. */
export function readResults(): BenchResult[] {
  return globSync('*.json', { cwd: resultsFolder })
    .map((file) => path.basename(file, '.json'))
    .sort()
    .map((name) => {
      const file = `${name}.json`;
      const result = parseResult(file, readFileSync(path.join(resultsFolder, file), 'utf8'));
      if (result.name !== name) throw new Error(`${file} holds the result of ${result.name}.`);
      return result;
    });
}

/** Returns the page of all recorded figures, with a row for each benchmark. */
export function benchPage(results: readonly BenchResult[]): string {
  const rows = results.map(
    ({ name, purpose, figures, commit, date, machine }) =>
      `| \`${name}\` | ${cell(purpose)} | ${figures.map(lineOf).join('<br>')} | ${commit}, ${date}: ${cell(machine)} |`,
  );
  return `${intro}\n| Name | What against what | Figures | Measured at |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function lineOf(figure: Figure): string {
  const { title, unit, against, values, floorValues, ratios, pairs } = figure;
  const count = pairs === null ? '' : `, ${pairs} pairs`;
  const end = `${count}${targetOf(figure)}`;
  if (ratios.length === 0) return cell(`${title}: **${spread(values)}** ${unit}${end}`);
  const beside = values.length === 0 ? '' : ` (${spread(values)} beside ${spread(floorValues)})`;
  const ratio = spread(ratios, ratioDigits);
  return cell(`${title}, ${unit}: **${ratio}** of ${against}${beside}${end}`);
}

const ratioDigits = 2;

function targetOf(figure: Figure): string {
  const { target } = figure;
  if (target === null) return '';
  const bound = 'ratioMin' in target ? `≥ ${target.ratioMin}` : `≤ ${target.valueMax}`;
  return `, target ${bound}${isReached(figure) ? '' : ' NOT REACHED'}`;
}

/** Returns one number, or the minimum and maximum of several runs. */
function spread(numbers: readonly number[], digits?: number): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map((number) =>
    digits === undefined ? String(number) : number.toFixed(digits),
  );
  return least === most ? String(least) : `${least} to ${most}`;
}
