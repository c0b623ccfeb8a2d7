import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A decision of `docs/adr`. */
export type Adr = {
  /** Name of the file, without its folder. */
  readonly file: string;
  readonly title: string;
  readonly date: string;
  readonly status: string;
};

const linesMax = 60;
/** Limits the length of the text together with `linesMax`. */
const columnsMax = 120;
/** Sections in order. `Options` contains the considered options and the reason why each was rejected. It is optional. */
const sections = ['Context', 'Options', 'Decision', 'Consequences'];
const optionalSection = 'Options';
const statusPattern = /^(proposed|accepted|superseded by \[[^\]]+\]\(([a-z0-9-]+\.md)\))$/;
/** Phrases about history, which belongs in the commit. */
const storyPattern = /\b(used to|formerly|previously|before that|until now|since then)\b/i;

/** Reads the header of a decision. Missing fields are empty; `findAdrFaults` reports them. */
export function readAdr(file: string, text: string): Adr {
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
  const [, date = ''] = /^- Date: (.+)$/m.exec(text) ?? [];
  const [, status = ''] = /^- Status: (.+)$/m.exec(text) ?? [];
  return { file, title, date, status };
}

/** Returns all decisions, in the order of their file names. */
export function readAdrs(root: string): (Adr & { readonly text: string })[] {
  const folder = path.join(root, 'docs/adr');
  return globSync('*.md', { cwd: folder, exclude: ['README.md'] })
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      return { ...readAdr(file, text), text };
    });
}

/** Returns the faults in form and length of one decision. */
export function findAdrFaults(file: string, text: string, others: readonly string[]): string[] {
  const lines = text.trimEnd().split('\n');
  const { title, date, status } = readAdr(file, text);
  const faults: string[] = [];
  const headings = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3));
  if (lines[0] !== `# ${title}`) faults.push('it does not begin with its title.');
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) faults.push('it has no "- Date: yyyy-mm-dd".');
  const [, , successor] = statusPattern.exec(status) ?? [];
  if (!statusPattern.test(status))
    faults.push('its "- Status:" is not proposed, accepted or "superseded by [title](file.md)".');
  if (successor !== undefined && !others.includes(successor))
    faults.push(`${successor}, which supersedes it, is not there.`);
  const expected = sections.filter((name) => name !== optionalSection || headings.includes(name));
  if (headings.join() !== expected.join())
    faults.push(`its sections are ${headings.join(', ')}, not ${expected.join(', ')}.`);
  if (lines.length > linesMax) faults.push(`it has ${lines.length} lines, not ${linesMax} at most.`);
  lines.forEach((line, index) => {
    if (line.length > columnsMax) faults.push(`line ${index + 1} is longer than ${columnsMax} characters.`);
    const [story] = storyPattern.exec(line) ?? [];
    if (story) faults.push(`line ${index + 1} tells how it came about ("${story}"); say what is.`);
  });
  return faults.map((fault) => `docs/adr/${file}: ${fault}`);
}
