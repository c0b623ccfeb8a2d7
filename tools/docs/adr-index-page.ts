import type { Adr } from './adr.ts';

const intro = `# Decisions

<!-- Written by \`npm run docs\` from the files beside it; do not edit. -->

Each file records one decision in at most 60 lines: title, date, status, context, decision, consequences. It states the
decision and its reason, and links to measurements. The history of a decision is in the commits. The file of a replaced
decision remains, and its status names the new decision. Begin a new file as a copy of the shortest one:
[data-source-failures.md](data-source-failures.md).
`;

/** Returns the list of all decisions, by title. */
export function adrIndexPage(adrs: readonly Adr[]): string {
  const rows = [...adrs]
    .sort((a, b) => a.title.localeCompare(b.title, 'en'))
    .map(({ file, title, date, status }) => `| [${title}](${file}) | ${date} | ${status} |`);
  return `${intro}\n| Decision | Date | Status |\n|---|---|---|\n${rows.join('\n')}\n`;
}
