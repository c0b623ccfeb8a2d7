import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A word that the code does not use, because another term is standard. */
export type BannedWord = {
  readonly word: string;
  /** Replacement, for the message. */
  readonly say: string;
  /** Matches names and comments in lower case, with compound names split: `sharedTrip` is `shared trip`. */
  readonly pattern?: RegExp;
  /** Matches the unchanged text, for words that only their spelling identifies as names. */
  readonly spelling?: RegExp;
};

/** Banned words of `docs/glossary.md`. A test compares the two lists. */
export const bannedWords: readonly BannedWord[] = [
  { word: 'trip', say: 'pipeline, or batch', pattern: /(?<!round )\btrips?\b/ },
  { word: 'presumption', say: 'speculation', pattern: /\bpresum/ },
  { word: 'kept links', say: 'connection pool', pattern: /\bkept links?\b/ },
  {
    word: 'signed settings',
    say: 'startup options',
    pattern: /\bsigned settings?\b|\bsettings signed\b/,
  },
  { word: 'waits for company', say: 'coalesce', pattern: /\b(waits? for|is|its|in) company\b/ },
  { word: 'world', say: 'fixture', pattern: /\bworlds?\b(?! hint)/ },
  { word: 'workbench', say: 'fixture', pattern: /\bworkbench/ },
  { word: 'delivering', say: 'fixture', spelling: /\bDelivering\b|\bstartDelivering\b|\/delivering\.ts/ },
  {
    word: 'judge',
    say: 'what the function decides',
    spelling: /\bjudge(?:[A-Z]\w*)?(?=\(| =|,| \})/,
  },
  {
    word: 'plain',
    say: 'fast path, or the word for what is meant',
    pattern: /\bplain (calls?|links?|serving)\b|\bis plain\b/,
  },
];

/** Files that still contain a banned word, by word. The list only shrinks. */
export type AllowedFiles = Readonly<Record<string, readonly string[]>>;

export const allowedFile = 'tools/check/banned-words.generated.json';
const codeFolders = ['packages', 'apps', 'tools', 'spec', 'bench', 'trials', 'examples'];
/** Files that must contain the words: the check and its tests. */
const ownFiles = /^tools\/check\/(?:language\/(?:banned-words|glossary)|documents\/documents)/;

export const readAllowed = (root: string): AllowedFiles =>
  JSON.parse(readFileSync(path.join(root, allowedFile), 'utf8')) as AllowedFiles;

/** Returns the text of all code files by path. */
export function readCode(root: string): ReadonlyMap<string, string> {
  const files = globSync(`{${codeFolders.join(',')}}/**/*.{ts,tsx,mjs}`, {
    cwd: root,
    exclude: (entry) => ['node_modules', 'dist'].includes(path.basename(String(entry))),
  });
  const own = files.filter((file) => !file.includes('.generated.') && !ownFiles.test(file)).sort();
  return new Map(own.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** Returns true when the name or the text of a file contains the word. */
export function hasWord({ pattern, spelling }: BannedWord, file: string, text: string): boolean {
  const all = `${file}\n${text}`;
  return (pattern?.test(wordsOf(all)) ?? false) || (spelling?.test(all) ?? false);
}

const wordsOf = (text: string): string =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();

/** A file is allowed when the list names it. A moved file is allowed while the list names a missing file of the same name. */
const isAllowed = (root: string, listed: readonly string[], file: string): boolean =>
  listed.includes(file) ||
  listed.some((old) => path.basename(old) === path.basename(file) && !existsSync(path.join(root, old)));

/** Returns the files that contain a banned word and are not on the list. */
export function findBannedWords(
  root: string,
  code: ReadonlyMap<string, string>,
  allowed: AllowedFiles,
): string[] {
  return bannedWords.flatMap((banned) =>
    [...code]
      .filter(([file, text]) => hasWord(banned, file, text))
      .filter(([file]) => !isAllowed(root, allowed[banned.word] ?? [], file))
      .map(([file]) => `${file}: "${banned.word}" is not used here; say ${banned.say} (docs/glossary.md).`),
  );
}

/** Returns the list without files that no longer contain the word, and with new paths of moved files. For `npm run docs`. */
export function trimAllowed(
  root: string,
  code: ReadonlyMap<string, string>,
  allowed: AllowedFiles,
): AllowedFiles {
  const kept = bannedWords.map((banned) => {
    const listed = allowed[banned.word] ?? [];
    const files = [...code].filter(
      ([file, text]) => hasWord(banned, file, text) && isAllowed(root, listed, file),
    );
    return [banned.word, files.map(([file]) => file)] as const;
  });
  return Object.fromEntries(kept.filter(([, files]) => files.length > 0));
}
