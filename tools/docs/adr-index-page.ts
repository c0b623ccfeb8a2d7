import type { Adr } from './adr.ts';

const intro = `# Decisions

<!-- Written by \`npm run docs\` from the files beside it; do not edit. -->

One decision a file: title, date, status, context, decision, consequences, in 60 lines at most. It says what is and why;
measurements are linked, and how it came about stands in the commits. A decision that is replaced keeps its file, and
its status names the one that supersedes it. A new one begins as a copy of the shortest:
[data-source-failures.md](data-source-failures.md).
`;

/** Returns the list of all decisions, by title. */
export function adrIndexPage(adrs: readonly Adr[]): string {
  const rows = [...adrs]
    .sort((a, b) => a.title.localeCompare(b.title, 'en'))
    .map(({ file, title, date, status }) => `| [${title}](${file}) | ${date} | ${status} |`);
  return `${intro}\n| Decision | Date | Status |\n|---|---|---|\n${rows.join('\n')}\n`;
}
