import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { resultsFolder } from '../../bench/run/record.ts';
import { type BenchResult, type Figure, isReached, parseResult } from '../../bench/run/result.ts';

/** Path of the page that is generated from the recorded results. */
export const benchPageFile = path.join(resultsFolder, '../README.md');

const intro = `# Benchmarks

<!-- Written by \`npm run docs\` from \`bench/results\`; do not edit. -->

\`npm run bench\` lists them; \`npm run bench -- list\` runs one (\`--rounds 5 --seconds 2\`), and with \`--record\` on a machine
with nothing else to do its figures stand here. They are never part of the tests.

Every contender runs in a process of its own, and so does the generator of the load; everything stays on loopback. A
*floor* is the least that could do the job with the same libraries: what the service adds for rights, limits, refusals
and records shows as the ratio to it. A ratio above 1 is ahead of the floor. Contenders take turns (A B, B A, …) after
one round that does not count; a figure is the median of the rounds. \`mcp\` and \`observability\` measure each contender
between two turns of its floor, and a figure is the median of what these pairs say; \`observability\` does so in new
processes each time. One code differs by a tenth between processes, so ratios say more than the numbers beside them, and
on a busy machine processor time says more than either. \`SVC_BENCH_PROFILES=<folder>\` writes a CPU profile of each
process. What was tried, and why a figure is as it is, stands in the commits that changed it.
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
