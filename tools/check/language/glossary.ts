import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { bannedWords, findBannedWords, readAllowed, readCode } from './banned-words.ts';
import { findUiWordFaults, uiWords } from './ui-words.ts';

const termsMin = 25;

type Row = readonly string[];

/** Returns the rows of the table below a second-level heading, without the header row. */
function rowsBelow(text: string, heading: string): Row[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

/** Returns the faults of the glossary: its form, its paths and names, and its banned words. */
export function findGlossaryFaults(root: string, text: string): string[] {
  const terms = rowsBelow(text, 'Terms');
  const names = terms.map(([term = '']) => term);
  const sorted = [...names].sort((a, b) => a.localeCompare(b, 'en'));
  return [
    ...(terms.length < termsMin ? [`it has ${terms.length} terms, not ${termsMin} at least.`] : []),
    ...(names.join() === sorted.join() ? [] : ['its terms are not in alphabetical order.']),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} stands twice.`),
    ...terms.flatMap((row) => faultsOfTerm(root, row)),
    ...faultsOfBanned(rowsBelow(text, 'Words that are not used'), bannedWords),
    ...faultsOfBanned(rowsBelow(text, 'Words of the pages'), uiWords),
  ].map((fault) => `docs/glossary.md: ${fault}`);
}

function faultsOfTerm(root: string, [term = '', means = '', place = '']: Row): string[] {
  const faults: string[] = [];
  if (!/^[A-Z][^.]*\.$/.test(means)) faults.push(`${term} is not explained in one sentence.`);
  const [, where, name] = /^`([^`]+)`(?:: `([^`]+)`)?$/.exec(place) ?? [];
  if (where === undefined) faults.push(`${term} does not say where it is in the code.`);
  else if (!existsSync(path.join(root, where)))
    faults.push(`${term} is said to be in ${where}, which is not there.`);
  else if (name !== undefined && !holds(path.join(root, where), name))
    faults.push(`${term} is said to be ${name} in ${where}, which has no such name.`);
  return faults;
}

/** Returns true when a file, or a file of a folder, contains the name as a word. */
function holds(place: string, name: string): boolean {
  const files = statSync(place).isDirectory()
    ? globSync('**/*.{ts,sql}', { cwd: place }).map((file) => path.join(place, file))
    : [place];
  return files.some((file) =>
    readFileSync(file, 'utf8')
      .split(/[^\w$-]+/)
      .includes(name),
  );
}

function faultsOfBanned(
  rows: readonly Row[],
  banned: readonly { readonly word: string; readonly say: string }[],
): string[] {
  const documentedBans = rows.map(([word, say]) => `${word}: ${say}`);
  const checkedBans = banned.map(({ word, say }) => `${word}: ${say}`);
  return [
    ...documentedBans
      .filter((one) => !checkedBans.includes(one))
      .map((one) => `bans "${one}", which no check looks for.`),
    ...checkedBans
      .filter((one) => !documentedBans.includes(one))
      .map((one) => `does not ban "${one}", which a check looks for.`),
  ];
}

/** Returns all faults of the glossary, and all uses of its banned words in files and UI text. */
export function findWordFaults(root: string): string[] {
  const text = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8');
  return [
    ...findGlossaryFaults(root, text),
    ...findBannedWords(root, readCode(root), readAllowed(root)),
    ...findUiWordFaults(root),
  ];
}
