/**
 * Counts the rows and sentences of the source documents of the requirements, by section:
 * `node --conditions=svc-source tools/count-spec-sentences.ts <folder of the documents>`
 *
 * The documents are Markdown files, in the order of their names. The output is the data of
 * `spec/requirements/sources.ts`, so that a count can be repeated and compared.
 *
 * - A section is a numbered heading (`## 5. …`, `### 5.6 …`). Text before the first heading is section `0`. A
 *   section's count does not include its subsections.
 * - A row is a line of a table, without the header row and the line of dashes below it. Each row counts once,
 *   regardless of the content of its cells.
 * - A sentence is text of a paragraph or list item that ends with `.`, `?` or `!`, before white space or at the end.
 *   An unfinished rest counts as one sentence, such as a list item without a full stop. Full stops in code spans and
 *   after `e.g.` and `i.e.` end no sentence. Headings, fenced code and table cells contain no sentences.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Counts of one section of a source document. */
export type SectionCount = {
  readonly section: string;
  readonly title: string;
  readonly rows: number;
  readonly sentences: number;
};

const headingPattern = /^#{2,6}\s+(\d+(?:\.\d+)*)\.?\s+(.*)$/;
const dashesPattern = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** Returns the number of sentences of one paragraph or list item. */
export function countSentences(block: string): number {
  const plain = block
    .replace(/^(?:[-*+]|\d+\.)\s+/, '')
    .replace(/`[^`]*`/g, 'Code')
    .replace(/\b(?:e\.g\.|i\.e\.)/g, 'such as')
    .trim();
  return plain.split(/(?<=[.?!]\)?)\s+/).filter((part) => /\w/.test(part)).length;
}

/** Splits lines into paragraphs and list items. Each line of a table is a block. */
function toBlocks(lines: readonly string[]): string[] {
  const blocks: string[] = [];
  let open = false;
  for (const line of lines) {
    const startsBlock = /^(?:[-*+]|\d+\.)\s+/.test(line.trim()) || line.startsWith('|');
    if (line.trim() === '') open = false;
    else if (open && !startsBlock) blocks.push(`${blocks.pop() ?? ''} ${line.trim()}`);
    else blocks.push(line.trim());
    if (line.trim() !== '') open = !line.startsWith('|');
  }
  return blocks;
}

function countSection(section: string, title: string, lines: readonly string[]): SectionCount {
  const blocks = toBlocks(lines);
  const tableLines = blocks.filter((block) => block.startsWith('|'));
  const tables = tableLines.filter((line) => dashesPattern.test(line)).length;
  const prose = blocks.filter((block) => !block.startsWith('|'));
  return {
    section,
    title,
    rows: tableLines.length - 2 * tables,
    sentences: prose.reduce((sum, block) => sum + countSentences(block), 0),
  };
}

/** Returns the counts of one document, in the order of its sections. */
export function countDocument(markdown: string): SectionCount[] {
  const parts: { section: string; title: string; lines: string[] }[] = [
    { section: '0', title: 'Before the first section', lines: [] },
  ];
  let isFenced = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isFenced = !isFenced;
    const heading = isFenced ? null : headingPattern.exec(line);
    if (heading) parts.push({ section: heading[1] ?? '', title: heading[2] ?? '', lines: [] });
    else if (!isFenced && !line.startsWith('#') && !line.startsWith('```')) parts.at(-1)?.lines.push(line);
  }
  return parts.map((part) => countSection(part.section, part.title, part.lines));
}

function main(folder: string | undefined): number {
  if (!folder) {
    process.stderr.write('Name the folder of the documents: count-spec-sentences.ts <folder>\n');
    return 1;
  }
  const documents = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort();
  for (const document of documents) {
    process.stdout.write(`// ${document}\n`);
    for (const count of countDocument(readFileSync(path.join(folder, document), 'utf8')))
      process.stdout.write(
        `{ section: '${count.section}', title: '${count.title.replaceAll("'", "\\'")}', rows: ${count.rows}, sentences: ${count.sentences} },\n`,
      );
  }
  return 0;
}

if (import.meta.main) process.exitCode = main(process.argv[2]);
